import { data, href, type RouterContextProvider } from 'react-router';
import type { Trx } from '#app/db/client.server.ts';
import type { Enrolment } from '#app/features/enrolments/enrolment.ts';
import { academyContext, type Moment } from '#app/http/academy.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { type NotShown, readForBuyer } from './private-links.server.ts';
import { takeBuyerAct } from './take-buyer-act.server.ts';

type Context = Readonly<RouterContextProvider>;

/**
 * The data of a page under a buyer's link; null, as a 503, while the database is away. Throws a 404 for a wrong link.
 */
export async function loadForBuyer<T extends object>(
  context: Context,
  token: string,
  read: (trx: Trx, enrolment: Enrolment, moment: Moment) => Promise<T>,
) {
  return pageDataOf(await readForBuyer(context.get(academyContext), token, read));
}

/** The page data of a finished read: throws a 404 for a wrong link; null, as a 503, while the database is away. */
export function pageDataOf<T extends object>(found: T | NotShown) {
  if (found === 'no-link') throw noLink();
  return found === 'away' ? data(null, { status: 503, headers: { 'Retry-After': '60' } }) : found;
}

/** For the layout's error boundary, which says what to do. */
export const noLink = () => data('no-link', { status: 404 });

/**
 * The action of a page under a buyer's link: back to the enrolment when it is done, otherwise the form with why not.
 */
export async function actForBuyer(
  { context, request, token }: { context: Context; request: Request; token: string },
  act: Parameters<typeof takeBuyerAct>[2],
) {
  const result = await takeBuyerAct(context.get(academyContext), { token, form: await readForm(request) }, act);
  if (!result.ok && result.status === 404) throw noLink();
  return answerForm(result, ({ done }) => `${href('/enrolment/:token', { token })}?done=${done}`);
}
