// The styles and scripts of the documentation, each as one file.
import { readAsset } from '../../pages/asset.ts';

export const CSS = readAsset(
  new URL('../reference/text.css', import.meta.url),
  new URL('../reference/frame.css', import.meta.url),
  new URL('../reference/reference.css', import.meta.url),
  new URL('../reference/request.css', import.meta.url),
  new URL('../reference/guides.css', import.meta.url),
  new URL('../reference/search.css', import.meta.url),
);
export const JS = readAsset(
  new URL('../reference/page.js', import.meta.url),
  new URL('../reference/find.js', import.meta.url),
  new URL('../reference/search.js', import.meta.url),
);
