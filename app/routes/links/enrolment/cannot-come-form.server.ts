import { z } from 'zod';
import { findLink } from '#app/features/enrolments/links.server.ts';
import { readEnrolment } from '#app/features/enrolments/queries.server.ts';
import { tellAbsence } from '#app/features/study/marking.server.ts';
import { type Academy, momentOf } from '#app/http/academy.server.ts';
import { firstFaults, optionalTextWithin } from '#app/http/form-texts.ts';
import { blankForm, type FormWords, type Refusal, takeForm } from '#app/http/take-form.server.ts';
import { unconfirmedText } from '#app/lib/unconfirmed-text.ts';

const typed = z.object({ note: optionalTextWithin(500) });

type Asked = { token: string; placeId: string; form: FormData | null };

/** Takes the form of an attendee who cannot come, or comes after all (P56). Sending it again changes nothing. */
export function takeAbsence(academy: Academy, { token, placeId, form }: Asked): Promise<{ ok: true } | Refusal> {
  return takeForm({ form, fresh: blankForm(), words }, async (values, refuse) => {
    const parsed = typed.safeParse(values);
    if (!parsed.success) return refuse(400, { errors: firstFaults(parsed.error) });
    const days = Object.keys(values).flatMap((name) => /^day-(\d{4}-\d\d-\d\d)$/.exec(name)?.[1] ?? []);
    const result = await academy.db.transaction().execute(async (trx) => {
      const owner = await findLink(trx, token);
      if (!owner || owner.attendeeId === null) return null;
      const { reference, places } = await readEnrolment(trx, owner.enrolmentId);
      const place = places.find(({ id, attendee }) => String(id) === placeId && attendee.id === owner.attendeeId);
      return place ? tellAbsence(trx, { place, reference, days, note: parsed.data.note }, momentOf(academy)) : null;
    });
    if (result?.ok) return result;
    if (!result || result.reason === 'no-class') return refuse(404, {});
    return refuse(400, { errors: { days: 'Choose at least one day.' } });
  });
}

const words: FormWords = {
  unreadable: 'Part of the form was missing. Please send it again.',
  away: unconfirmedText('that we know', 'Please send it again in a few minutes, or call us.'),
  busy: 'Many people are here at the moment, so this was not sent. Please send it again in a few seconds.',
};
