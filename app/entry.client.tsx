import { StrictMode, startTransition, useEffect, useLayoutEffect } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { HydratedRouter } from 'react-router/dom';
import { takeOverPresses } from './ui/late-start.ts';

// What the visitor chose stands on <html> since before the first paint.
const chosen = { ...document.documentElement.dataset };

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter />
      <EarlierActs />
    </StrictMode>,
  );
});
const repeatEarlyPress = takeOverPresses();

// A sample of visits is measured, where the program asks for it. Safari has no idle callback.
if (Math.random() < Number(document.documentElement.dataset.vitals)) {
  (window.requestIdleCallback ?? setTimeout)(() => import('./ui/report-vitals.ts').catch(() => undefined));
}

/** Keeps what happened before React heard: presses and the choices on <html>. */
function EarlierActs() {
  useEffect(repeatEarlyPress, []);
  // Where the server's page differs from what the browser would write, React makes <html> anew.
  useLayoutEffect(() => void Object.assign(document.documentElement.dataset, chosen), []);
  return null;
}
