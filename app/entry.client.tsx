import { StrictMode, startTransition, useEffect, useLayoutEffect } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { HydratedRouter } from 'react-router/dom';
import { takeOverPresses } from './ui/late-start.ts';
import { pressThroughFades } from './ui/press-through.ts';
import { keepTypedText } from './ui/typed-text.ts';

const putBack = keepTypedText();
let standsFor = (element: HTMLElement) => element;
startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter />
      <RepeatEarlyPress />
    </StrictMode>,
  );
});
const repeatEarlyPress = takeOverPresses();
pressThroughFades();

// A sample of visits is measured, where the program asks for it. Safari has no idle callback.
if (Math.random() < Number(document.documentElement.dataset.vitals)) {
  (window.requestIdleCallback ?? setTimeout)(() => import('./ui/report-vitals.ts').catch(() => undefined));
}

/** A press made before the scripts were loaded counts as soon as the whole page is ready. */
function RepeatEarlyPress() {
  // Before the effects of the page, which may set a text or the focus.
  useLayoutEffect(() => {
    standsFor = putBack();
  }, []);
  useEffect(() => {
    repeatEarlyPress(standsFor);
    // It changes the page, so React must have taken it over.
    import('./features/study/late-script.ts').catch(() => undefined);
  }, []);
  return null;
}
