/** Longer than this a page never stands still for a cross-fade whose new page is not there yet. */
const longestWaitMs = 50;

type Update = () => unknown;
type Waiting = { fade: ViewTransition; show: (update: Update) => void };

let begin: ((update: Update) => ViewTransition) | undefined;
let waiting: Waiting | undefined;

/**
 * Lets the router's cross-fades use the picture of the old page that `startFadeEarly` had made, and end early without an
 * error. A step back during the fade, a screen that turns, or a page that takes longer than the browser waits for (four
 * seconds) calls the pictures off and rejects `ready`, while the new page is shown all the same. The router looks at
 * `finished` only, which still tells of a page that failed.
 */
export function prepareCrossFades(): void {
  const start = document.startViewTransition?.bind(document);
  if (!start) return;
  const quietly: typeof start = (update) => {
    const fade = start(update);
    fade.ready.catch(() => undefined);
    return fade;
  };
  begin = quietly;
  document.startViewTransition = (update) => {
    if (!waiting || typeof update !== 'function') return quietly(update);
    const { fade, show } = waiting;
    waiting = undefined;
    show(update);
    return fade;
  };
}

/**
 * Has the browser picture the old page while the new one is still on its way: both take about as long. Where it takes
 * longer, the page goes on as it is, and the router begins a cross-fade of its own when the new page comes (decision
 * 151).
 */
export function startFadeEarly(): void {
  if (!begin || waiting) return;
  let show: Waiting['show'] = () => undefined;
  const update = new Promise<Update>((resolve) => {
    show = resolve;
  });
  const early: Waiting = { fade: begin(async () => (await update)()), show };
  waiting = early;
  setTimeout(() => {
    if (waiting !== early) return;
    waiting = undefined;
    early.fade.skipTransition();
    early.show(() => undefined);
  }, longestWaitMs);
}
