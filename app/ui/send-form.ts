import { data, isRouteErrorResponse } from 'react-router';
import { nothingDone } from '#app/lib/nothing-done.ts';
import { type FormState, tokenField } from './form-state.ts';

/** The server takes no larger body of most forms, and answers one without reading it. */
const largestBodyBytes = 64 * 1024;

type Answer = { form: FormState; stale: boolean };

/**
 * Sends a form from the browser. When nothing that we wrote comes back (no connection, a proxy's error page), or the
 * form is larger than the server takes, the form stays on its page with everything that was typed. Redirects are
 * thrown on, as routes do.
 *
 * When the answer says that the page is stale, the page's data is read again. React Router does not do that after an
 * error status, so the answer goes on as a 200.
 */
export async function sendForm<T>(request: Request, serverAction: () => Promise<T>, most = largestBodyBytes) {
  const body = await request.clone().text();
  const values = Object.fromEntries(new URLSearchParams(body));
  if (body.length > most) {
    const kilobytes = Math.ceil(body.length / 1024);
    return kept(413, {
      values,
      heading: 'Not sent yet',
      fault: `What you wrote is too long to send at once: ${kilobytes} KB, and the limit is ${most / 1024} KB. Nothing was sent, and what you wrote is still below. Please shorten it and send it again.`,
    });
  }
  try {
    const answer = await serverAction();
    return isStale(answer) ? data(answer, { status: 200 }) : answer;
  } catch (error) {
    if (error instanceof Response) throw error;
    if (isRouteErrorResponse(error) && (refusedBefore.has(error.status) || error.statusText === nothingDone)) {
      return kept(error.status, { values, heading: 'Not sent yet', fault: String(error.data) });
    }
    return kept(503, { values, heading: 'Not confirmed yet', fault: unanswered });
  }
}

const refusedBefore = new Set([401, 403]);

const isStale = (answer: unknown) =>
  typeof answer === 'object' && answer !== null && 'stale' in answer && answer.stale === true;

const unanswered =
  'We could not reach the academy, so we do not know whether this arrived: you may have lost your connection, or our server may be busy. Everything you wrote is still below. Please check your connection and send it again. If it did arrive, the repeat is recognised and saved once.';

/** An error status keeps React Router from reading the page's data again: the server may be out of reach. */
function kept(status: number, form: Pick<FormState, 'values' | 'heading' | 'fault'>) {
  return data<Answer>(
    { form: { ...form, errors: {}, token: form.values[tokenField] ?? '' }, stale: false },
    { status },
  );
}
