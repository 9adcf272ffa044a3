/**
 * Lets a cross-fade end early without an error. A step back during the fade, a screen that turns, or a page that takes
 * longer than the browser waits for (four seconds) calls the pictures off and rejects `ready`, while the new page is shown
 * all the same. The router starts the fades and looks at `finished` only, which still tells of a page that failed.
 */
export function allowInterruptedFades(): void {
  const start = document.startViewTransition?.bind(document);
  if (!start) return;
  document.startViewTransition = (update) => {
    const fade = start(update);
    fade.ready.catch(() => undefined);
    return fade;
  };
}
