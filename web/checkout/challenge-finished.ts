// The page after the bank's: it hands back to the checkout that waits around its frame, or goes there itself when nobody
// does: it stands alone, or in a frame of the shop's, whose page is none of ours.

// A page of another origin shows nothing of the frame; one of ours, such as the demo shop, is not always the checkout.
if (window.frameElement?.id === 'challenge-frame') {
  window.parent.postMessage({ kassa: 1, type: 'challenge-finished' }, location.origin);
} else {
  const onward = document.querySelector<HTMLAnchorElement>('main a[href]');
  if (onward) location.replace(onward.href);
}
