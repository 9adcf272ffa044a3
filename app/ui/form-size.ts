import { type FormState, tokenField } from './form-state.ts';

/** The server takes no larger body, and answers one without reading it. */
const largestBodyBytes = 64 * 1024;

/**
 * In the browser, before sending: the refused form when its body is larger than the server takes, with everything
 * that was typed; null when it may be sent. The server could not give the text back: it does not read it.
 */
export async function refuseTooLarge(request: Request): Promise<{ form: FormState } | null> {
  const body = await request.clone().text();
  if (body.length <= largestBodyBytes) return null;
  const values = Object.fromEntries(new URLSearchParams(body));
  const kilobytes = Math.ceil(body.length / 1024);
  return {
    form: {
      values,
      errors: {},
      fault: `What you wrote is too long to send at once: ${kilobytes} KB, and the limit is 64 KB. Nothing was sent, and what you wrote is still below. Please shorten it and send it again.`,
      heading: 'Not sent yet',
      token: values[tokenField] ?? '',
    },
  };
}
