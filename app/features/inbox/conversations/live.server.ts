import { createContext } from 'react-router';
import type { Connection } from '#app/db/client.server.ts';
import { type Listener, openListener } from '#app/db/listener.server.ts';
import { plainPage } from '#app/http/plain-page.server.ts';
import { channel } from './commands.server.ts';

/**
 * The open streams of this process. A stream carries no content: each event only tells the page to ask again, so that
 * nothing can be lost with it, and each request of a page shows that it is still open.
 */
export type Live = {
  /**
   * A stream of server-sent events, one at once, one each 20 seconds and one whenever the conversation changes; with
   * `conversationId` null, whenever any does. Refused with 429 when the viewer (3) or the network (24) has too many.
   */
  open(conversationId: number | null, from: { viewer: string; network: string }): Response;
  /** Ends all streams and refuses new ones, so that the program can stop; pages then poll until they find another. */
  end(): void;
  /** Ends all streams and the connection that listens. */
  stop(): Promise<void>;
};
export const liveContext = createContext<Live>();

type LiveLog = { info(fields: object, message: string): void; warn(fields: object, message: string): void };
type Stream = { conversationId: number | null; viewer: string; network: string; look(): void; close(): void };

const mostOfViewer = 3;
const mostOfNetwork = 24;
const mostInAll = 2000;
const beatMs = 20_000;
const reconnectMs = 1000;
/** Events that may wait for a client that does not read. */
const mostUnread = 16;

const event = new TextEncoder().encode('data: look\n\n');
const opening = new TextEncoder().encode('retry: 2000\n\ndata: look\n\n');

/**
 * Listens for changes on one connection of its own, which is opened again when it is lost; every page is then told to
 * look, because changes may have been missed.
 */
export function openLive(connection: Connection, log: LiveLog): Live {
  const streams = new Set<Stream>();
  let ended = false;
  const listening = keepListening(connection, log, (changed) => {
    for (const stream of streams) {
      if (changed === null || stream.conversationId === null || stream.conversationId === changed) stream.look();
    }
  });

  const count = (fits: (stream: Stream) => boolean) => [...streams].filter(fits).length;

  function open(conversationId: number | null, { viewer, network }: { viewer: string; network: string }): Response {
    if (ended) return refusal(503, 'The program is stopping.');
    if (
      streams.size >= mostInAll ||
      count((stream) => stream.viewer === viewer) >= mostOfViewer ||
      count((stream) => stream.network === network) >= mostOfNetwork
    ) {
      return refusal(429, 'You have many pages open. They still show new messages, a little later.');
    }
    let forget = () => {};
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        const stream: Stream = {
          conversationId,
          viewer,
          network,
          look() {
            if ((controller.desiredSize ?? 0) < -mostUnread) stream.close();
            else controller.enqueue(event);
          },
          close() {
            forget();
            controller.close();
          },
        };
        const beat = setInterval(stream.look, beatMs);
        forget = () => {
          clearInterval(beat);
          streams.delete(stream);
        };
        streams.add(stream);
        controller.enqueue(opening);
      },
      cancel: () => forget(),
    });
    return new Response(body, {
      headers: {
        'Content-Type': 'text/event-stream',
        'Cache-Control': 'no-store, no-transform',
        'X-Accel-Buffering': 'no',
        'X-Robots-Tag': 'noindex',
      },
    });
  }

  function end(): void {
    ended = true;
    for (const stream of [...streams]) stream.close();
  }

  return {
    open,
    end,
    async stop() {
      end();
      await listening.stop();
    },
  };
}

function refusal(status: 429 | 503, text: string): Response {
  return plainPage(status, 'Not live', text, { 'Retry-After': '5' });
}

/** Calls `onChange` with the id of each conversation that changed, or null when any may have. */
function keepListening(
  connection: Connection,
  log: LiveLog,
  onChange: (conversationId: number | null) => void,
): { stop(): Promise<void> } {
  let listener: Listener | null = null;
  let away = false;
  let connecting: Promise<void> | null = null;

  async function connect(): Promise<void> {
    const onNotification = (conversationId: string) => onChange(Number(conversationId));
    try {
      listener = await openListener(connection, { name: 'conversations', channel, onNotification });
      if (away) log.info({}, 'conversations are live again');
      away = false;
      onChange(null);
    } catch (error) {
      if (!away) log.warn({ err: error }, 'conversations are not live; pages poll');
      away = true;
    }
  }

  const ensure = () => {
    if (listener && !listener.isLost()) return;
    connecting ??= connect().finally(() => {
      connecting = null;
    });
  };
  ensure();
  const timer = setInterval(ensure, reconnectMs);
  return {
    async stop() {
      clearInterval(timer);
      await connecting;
      await listener?.end();
    },
  };
}
