/**
 * The script of a page before React starts. The page is complete without scripts, so none is fetched before it has
 * loaded and the browser is idle, or before the first sign of use.
 */

declare global {
  /** The last control that was pressed before React listens; false once React handles presses itself. */
  var pressedEarly: HTMLElement | false | undefined;
}

/**
 * Runs in the page, as text in an inline script: it can use nothing from outside itself. The page's own module script
 * is there, inert, with the addresses of all modules that it will need.
 */
function waitForUse(): void {
  const { documentElement: root } = document;
  // Safari has no idle callback.
  const whenIdle = (work: () => void, timeout: number) => {
    if ('requestIdleCallback' in window) requestIdleCallback(work, { timeout });
    else setTimeout(work, timeout / 10);
  };
  const layOutRest = (done: () => void) => {
    const parts = [...document.querySelectorAll<HTMLElement>('#main section,#main li:nth-child(n+4)>article,footer')];
    const someMore = () => {
      const until = performance.now() + 5;
      while (performance.now() < until) {
        const part = parts.shift();
        if (!part) {
          delete root.dataset.arriving;
          return done();
        }
        part.dataset.laidOut = '';
        part.getBoundingClientRect();
      }
      whenIdle(someMore, 100);
    };
    if (root.dataset.arriving === '') {
      root.dataset.arriving = 'further';
      someMore();
    } else done();
  };
  const signs = ['pointermove', 'pointerdown', 'touchstart', 'keydown', 'focusin'];
  const start = () => {
    // A page that is still arriving may hold only the beginning of the script; React would also miss what comes after.
    if (document.readyState === 'loading') return document.addEventListener('DOMContentLoaded', start);
    for (const sign of signs) removeEventListener(sign, onUse);
    layOutRest(() => undefined);
    const waiting = document.querySelector<HTMLElement>('script[data-modules]');
    const text = waiting?.dataset.modules;
    if (!waiting || !text) return;
    delete waiting.dataset.modules;
    for (const href of text.split(' ')) {
      const link = document.createElement('link');
      link.rel = 'modulepreload';
      link.href = href;
      document.head.append(link);
    }
    const module = document.createElement('script');
    module.type = 'module';
    module.textContent = waiting.textContent;
    waiting.replaceWith(module);
  };
  const onUse = (event: Event) => {
    // Browsers report a pointer that nobody moves when a page appears under it.
    const atRest =
      event instanceof PointerEvent && event.type === 'pointermove' && !event.movementX && !event.movementY;
    if (!atRest) start();
  };
  for (const sign of signs) addEventListener(sign, onUse, { passive: true });
  // Links, forms, and elements that the browser opens itself need no script. These do.
  addEventListener(
    'click',
    ({ target }) => {
      if (window.pressedEarly === false || !(target instanceof Element)) return;
      const control = target.closest<HTMLElement>('button[type=button]:not([popovertarget]),input[type=radio]');
      if (control && !control.closest('form')) window.pressedEarly = control;
    },
    true,
  );
  addEventListener('load', () => {
    whenIdle(() => layOutRest(start), 2000);
  });
}

/** The inline script that starts the page's modules; only the server writes it. */
export const startScript = import.meta.env.SSR ? `(${waitForUse})()` : '';

/** React handles presses from now on. Returns a function that repeats the last earlier press, once React listens. */
export function takeOverPresses(): (standsFor: (earlier: HTMLElement) => HTMLElement) => void {
  const early = window.pressedEarly;
  window.pressedEarly = false;
  return (standsFor) => {
    if (!early) return;
    const pressed = standsFor(early);
    // A radio button that is already chosen would not report a change.
    if (pressed instanceof HTMLInputElement) pressed.checked = false;
    pressed.click();
  };
}
