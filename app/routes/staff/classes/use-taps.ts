import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { href, useRevalidator } from 'react-router';

/** Taps that wait on a device until the network takes them (P59). Only ids are kept on it, no names. */
export type QueuedTap = {
  key: string;
  /** The member of staff who tapped: another one signed in on the same device does not send it. */
  personId: number;
  slug: string;
  placeId: number;
  day: string;
  mark: 'present' | 'absent';
  /** By the clock of the device. */
  tappedMs: number;
  /** Of "All others here": the page may be older than what somebody else marked. */
  onlyUnmarked?: true;
  /** Why the academy did not take it; then it is not sent again. */
  refused?: string;
};

type Store = Pick<Storage, 'getItem' | 'setItem'>;

/** The answer for each tap by its key: null when it was taken, otherwise the reason. */
export type Answer = { status: number; results?: Readonly<Record<string, string | null>> };

/** The state after sending: remaining taps wait for the network, for signing in, or for a role that allows them. */
type Sent = 'all' | 'no-network' | 'signed-out' | 'not-allowed';

const storedAs = 'class-taps';
/** As many are sent at once. */
const most = 100;

/** The waiting taps of this device, in order; empty when they cannot be read. */
export function readTaps(store: Store): QueuedTap[] {
  try {
    const taps: unknown = JSON.parse(store.getItem(storedAs) ?? '[]');
    return Array.isArray(taps) ? taps : [];
  } catch {
    return [];
  }
}

export function addTap(store: Store, tap: QueuedTap): void {
  write(store, [...readTaps(store), tap]);
}

/** Forgets taps that were refused, once somebody has read why. */
export function forgetRefused(store: Store): void {
  write(
    store,
    readTaps(store).filter(({ refused }) => refused === undefined),
  );
}

/** Sends the taps of a member of staff, oldest first, including taps made in the meantime. */
export async function sendTaps(
  store: Store,
  personId: number,
  send: (taps: readonly QueuedTap[]) => Promise<Answer>,
): Promise<Sent> {
  for (;;) {
    const taps = readTaps(store)
      .filter((tap) => tap.personId === personId && tap.refused === undefined)
      .slice(0, most);
    if (taps.length === 0) return 'all';
    const answer = await send(taps).catch((): Answer => ({ status: 0 }));
    if (answer.status === 401) return 'signed-out';
    if (answer.status === 403) return 'not-allowed';
    const { results } = answer;
    if (answer.status !== 200 || !results || !taps.some(({ key }) => key in results)) return 'no-network';
    write(
      store,
      readTaps(store).flatMap((tap) => {
        const why = results[tap.key];
        if (why === undefined) return tap;
        return why === null ? [] : { ...tap, refused: why };
      }),
    );
  }
}

const write = (store: Store, taps: readonly QueuedTap[]) => store.setItem(storedAs, JSON.stringify(taps));

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
