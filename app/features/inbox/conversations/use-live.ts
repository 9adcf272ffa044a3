import { useEffect, useEffectEvent, useState } from 'react';

const pollMs = 5000;
/** A stream tells something at least every 20 seconds; one that has been silent for longer than this is held up. */
const silentMs = 45_000;

/**
 * Calls `look` when the stream at an address says that something may have changed. While there is no stream (no
 * connection, too many streams, a proxy that buffers) it calls `look` every five seconds.
 */
export function useLive(address: string, look: () => void): void {
  const onLook = useEffectEvent(look);
  useEffect(() => {
    let heardAt = Number.NEGATIVE_INFINITY;
    const listen = () => {
      const stream = new EventSource(address);
      stream.onmessage = () => {
        heardAt = performance.now();
        onLook();
      };
      stream.onerror = () => {
        heardAt = Number.NEGATIVE_INFINITY;
      };
      return stream;
    };
    let stream = listen();
    const poll = setInterval(() => {
      if (performance.now() - heardAt < silentMs) return;
      onLook();
      // After an answer other than a stream the browser does not try again on its own.
      if (stream.readyState === EventSource.CLOSED) stream = listen();
    }, pollMs);
    // At once, too, when the connection is back, or the page in view again: hidden pages run their timers rarely.
    const back = () => {
      if (document.visibilityState === 'visible') onLook();
    };
    addEventListener('online', back);
    document.addEventListener('visibilitychange', back);
    return () => {
      removeEventListener('online', back);
      document.removeEventListener('visibilitychange', back);
      clearInterval(poll);
      stream.close();
    };
  }, [address]);
}

/**
 * Data of a loader that is also served as JSON at an address. Returns the latest data and a function that reads them
 * again; a failed read keeps the latest. New data of the loader replace them. `reads` counts the reads.
 */
export function useFreshData<T>(loaded: T, address: string): { data: T; read: () => void; reads: number } {
  const [fresh, setFresh] = useState({ of: loaded, data: loaded, reads: 0 });
  const [reader] = useState(oneAtATime);
  const read = () =>
    reader(async () => {
      const response = await fetch(address, { headers: { Accept: 'application/json' } });
      const isOurs = response.ok && response.headers.get('Content-Type')?.startsWith('application/json');
      if (!isOurs) return;
      const data = (await response.json()) as T;
      setFresh(({ reads }) => ({ of: loaded, data, reads: reads + 1 }));
    });
  return { data: fresh.of === loaded ? fresh.data : loaded, read, reads: fresh.reads };
}

/** Runs a task; calls during a run are answered by one more run afterwards. Failures are left to the next call. */
function oneAtATime() {
  let running = false;
  let next: (() => Promise<void>) | null = null;
  return async (task: () => Promise<void>) => {
    next = task;
    if (running) return;
    running = true;
    while (next) {
      const current: () => Promise<void> = next;
      next = null;
      await current().catch(() => undefined);
    }
    running = false;
  };
}
