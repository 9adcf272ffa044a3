import { findLink } from '#app/features/enrolments/links.server.ts';
import { type NotOpened, openModule } from '#app/features/study/modules.server.ts';
import { type Academy, momentOf } from '#app/http/academy.server.ts';
import { blankForm, type FormWords, type Refusal, takeForm } from '#app/http/take-form.server.ts';
import { unconfirmedText } from '#app/lib/unconfirmed-text.ts';
import { meanwhile } from './take-buyer-act.server.ts';

/** Takes the button of an attendee's page that opens a module (P40). Sending it again does no harm. */
export function openAsAsked(
  academy: Academy,
  { token, placeId, module, form }: { token: string; placeId: string; module: string; form: FormData | null },
): Promise<{ ok: true } | Refusal> {
  return takeForm({ form, fresh: blankForm('Nothing was changed'), words }, async (values, refuse) => {
    if (!/^\d{1,15}$/.test(placeId) || !/^\d{1,4}$/.test(module)) return refuse(404, {});
    const result = await academy.db.transaction().execute(async (trx) => {
      const link = await findLink(trx, token);
      if (!link || link.attendeeId === null) return null;
      const { enrolmentId, attendeeId } = link;
      const opening = { placeId: Number(placeId), module: Number(module), early: values.early === 'yes' };
      return openModule(trx, { enrolmentId, attendeeId, ...opening }, momentOf(academy));
    });
    if (result?.ok) return { ok: true };
    if (!result || result.reason === 'no-module') return refuse(404, {});
    return refuse(409, refusals[result.reason]);
  });
}

const refusals: Record<Exclude<NotOpened['reason'], 'no-module'>, string> = {
  meanwhile,
  'access-over': 'Access to the modules has ended, so you can no longer open modules.',
  overdue: 'The invoice for this place is overdue. You can open further modules once it is paid.',
  'begins-later': 'Your study has not begun yet. Please read below what opening a module now does, and confirm it.',
};

const words: FormWords = {
  unreadable: 'Part of the form was missing. Please send it again.',
  away: unconfirmedText(
    'that the module is opened',
    'Please press the button again in a few minutes. Doing it twice does no harm.',
  ),
  busy: 'Many people are here at the moment, so the module is not opened yet. Please press the button again in a few seconds.',
};
