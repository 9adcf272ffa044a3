import type { FormState } from '#app/ui/form-state.ts';
import { sendForm } from '#app/ui/send-form.ts';

type Sent = { request: Request; serverAction: () => Promise<unknown> };

/** The `clientAction` of a page for staff: typed text stays on the page when the server does not answer. */
export function sendStaffForm({ request, serverAction }: Sent): Promise<{ form: FormState }> {
  return sendForm(request, serverAction) as Promise<{ form: FormState }>;
}

/** The same for a page whose action answers with more than its form. */
export const sendStaffFormAs = sendStaffForm as <Action extends (...args: never) => Promise<unknown>>(
  sent: Sent,
) => ReturnType<Action>;
