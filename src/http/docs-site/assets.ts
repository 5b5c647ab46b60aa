// The styles and the script of the documentation, each as one file.
import { readAsset } from '../../pages/asset.ts';

export const CSS = readAsset(
  new URL('../docs-page/text.css', import.meta.url),
  new URL('../docs-page/frame.css', import.meta.url),
  new URL('../docs-page/reference.css', import.meta.url),
  new URL('../docs-page/request.css', import.meta.url),
  new URL('../docs-page/guides.css', import.meta.url),
  new URL('../docs-page/search.css', import.meta.url),
);
export const JS = readAsset(
  new URL('../docs-page/page.js', import.meta.url),
  new URL('../docs-page/find.js', import.meta.url),
  new URL('../docs-page/search.js', import.meta.url),
);
