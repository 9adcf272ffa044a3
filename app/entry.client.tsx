import { StrictMode, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { HydratedRouter } from 'react-router/dom';

function hydrate() {
  startTransition(() => {
    hydrateRoot(
      document,
      <StrictMode>
        <HydratedRouter />
      </StrictMode>,
    );
  });
}

// The page is complete without React; it waits until the browser has nothing better to do. Safari has no idle callback.
if ('requestIdleCallback' in window) window.requestIdleCallback(hydrate, { timeout: 1000 });
else setTimeout(hydrate, 1);
