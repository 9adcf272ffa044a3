import { sendForm } from '#app/ui/send-form.ts';
import { largestContent } from './largest-content.ts';
import type { RecordSent } from './record-acts.server.ts';

type Sent = { request: Request; serverAction: () => Promise<unknown> };
export type RecordRefused = Omit<Extract<RecordSent, { ok: false }>, 'ok' | 'status'>;

/** The `clientAction` of the form of a record: typed text stays on the page when the server does not answer. */
export function sendRecord({ request, serverAction }: Sent): Promise<RecordRefused> {
  return sendForm(request, serverAction, largestContent) as Promise<RecordRefused>;
}
