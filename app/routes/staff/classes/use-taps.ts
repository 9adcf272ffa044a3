import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { href, useRevalidator } from 'react-router';
import {
  type Answer,
  addTap,
  forgetRefused,
  type QueuedTap,
  readTaps,
  type Sent,
  type Store,
  sendTaps,
} from './tap-queue.ts';

const againMs = 15_000;

export type Taps = {
  /** False on the server and before scripts run: then the page is a form. */
  ready: boolean;
  /** Marks tapped here, by place, that the page's data may not have yet. */
  own: ReadonlyMap<number, QueuedTap>;
  /** How many wait on this device, of all classes. */
  waiting: number;
  refused: readonly QueuedTap[];
  /** The result of the last try; null before the first. */
  sent: Sent | null;
  tap: (placeId: number, mark: QueuedTap['mark']) => void;
  /** Everybody is here whom nobody has marked, by what the academy knows when it takes the taps. */
  allOthersHere: (placeIds: readonly number[]) => void;
  readRefused: () => void;
};

/** Keeps taps on the device until the academy has them, and sends them when there is a network (P59). */
export function useTaps({
  personId,
  slug,
  day,
  data,
}: {
  personId: number;
  slug: string;
  day: string;
  data: unknown;
}): Taps {
  const [queue, setQueue] = useState<readonly QueuedTap[] | null>(null);
  const [tapped, setTapped] = useState<readonly QueuedTap[]>([]);
  const [sent, setSent] = useState<Sent | null>(null);
  const sending = useRef(false);
  const { revalidate } = useRevalidator();

  const flush = useRef<() => Promise<void>>(() => Promise.resolve());
  flush.current = async () => {
    if (sending.current) return;
    sending.current = true;
    const before = readTaps(deviceStore());
    try {
      setSent(await sendTaps(deviceStore(), personId, send));
    } finally {
      sending.current = false;
      const left = readTaps(deviceStore());
      // Shown on until the page's data has them.
      setTapped((shown) => [...shown, ...before.filter(({ key }) => shown.every((one) => one.key !== key))]);
      setQueue(left);
      if (left.length < before.length) await revalidate();
    }
  };

  useEffect(() => {
    const now = () => void flush.current();
    const timer = setInterval(() => readTaps(deviceStore()).some(({ refused }) => !refused) && now(), againMs);
    addEventListener('online', now);
    now();
    return () => {
      clearInterval(timer);
      removeEventListener('online', now);
    };
  }, []);

  // A page that was left open shows marks, and a day, of before. Without a network, reading it again would lose it.
  const readAgain = useEffectEvent(async () => {
    if (document.visibilityState !== 'visible') return;
    const { status } = await send([]).catch(() => ({ status: 0 }));
    if (status === 200) await revalidate();
  });
  useEffect(() => {
    const look = () => void readAgain();
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, []);

  // The page's data now has the earlier taps.
  // biome-ignore lint/correctness/useExhaustiveDependencies: with every answer of the server, and on every other day
  useEffect(() => setTapped([]), [data, day]);

  const own = useMemo(() => {
    const here = [...tapped, ...(queue ?? [])].filter(
      (tap) => tap.personId === personId && tap.slug === slug && tap.day === day && !isRefused(tap, queue),
    );
    return new Map(here.toSorted((a, b) => a.tappedMs - b.tappedMs).map((tap) => [tap.placeId, tap]));
  }, [tapped, queue, personId, slug, day]);

  const keep = (taps: readonly Pick<QueuedTap, 'placeId' | 'mark' | 'onlyUnmarked'>[]) => {
    const made = taps.map((tap) => ({ key: newKey(), personId, slug, day, ...tap, tappedMs: Date.now() }));
    for (const one of made) addTap(deviceStore(), one);
    setTapped((before) => [...before, ...made]);
    setQueue(readTaps(deviceStore()));
    void flush.current();
  };

  return {
    ready: queue !== null,
    own,
    waiting: (queue ?? []).filter((tap) => tap.personId === personId && tap.refused === undefined).length,
    refused: (queue ?? []).filter((tap) => tap.personId === personId && tap.refused !== undefined),
    sent,
    tap: (placeId, mark) => keep([{ placeId, mark }]),
    allOthersHere: (placeIds) =>
      keep(placeIds.map((placeId) => ({ placeId, mark: 'present', onlyUnmarked: true as const }))),
    readRefused() {
      forgetRefused(deviceStore());
      setQueue(readTaps(deviceStore()));
    },
  };
}

/** A tap that was refused is shown no more; those taken just now are not in the queue. */
const isRefused = (tap: QueuedTap, queue: readonly QueuedTap[] | null): boolean =>
  queue?.some(({ key, refused }) => key === tap.key && refused !== undefined) ?? false;

async function send(taps: readonly QueuedTap[]): Promise<Answer> {
  const body = new URLSearchParams({ taps: JSON.stringify({ sentMs: Date.now(), taps }) });
  const answer = await fetch(href('/staff/class-taps'), { method: 'POST', body });
  return { status: answer.status, ...(answer.ok && (await answer.json())) };
}

/** The memory of this page where the browser has no storage. */
const remembered = new Map<string, string>();
const memory: Store = {
  getItem: (name) => remembered.get(name) ?? null,
  setItem: (name, text) => void remembered.set(name, text),
};

function deviceStore(): Store {
  try {
    // Reading it alone throws where a browser forbids it.
    const store = window.localStorage;
    return {
      getItem: (name) => memory.getItem(name) ?? store.getItem(name),
      setItem(name, text) {
        try {
          store.setItem(name, text);
          remembered.delete(name);
        } catch {
          memory.setItem(name, text);
        }
      },
    };
  } catch {
    return memory;
  }
}

/** A UUID of version 4; `randomUUID` is missing where the page came without TLS. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = [...bytes]
    .map((byte, at) => (at === 6 ? (byte & 15) | 64 : at === 8 ? (byte & 63) | 128 : byte))
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
