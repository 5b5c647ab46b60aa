// The page after the bank's: it hands back to the checkout that waits around its frame, or goes there itself when it
// stands alone.
if (window.parent === window) {
  const onward = document.querySelector<HTMLAnchorElement>('main a[href]');
  if (onward) location.replace(onward.href);
} else {
  window.parent.postMessage({ kassa: 1, type: 'challenge-finished' }, location.origin);
}
