import { z } from 'zod';
import type { Trx } from '#app/db/client.server.ts';
import { type Academy, momentOf } from '#app/http/academy.server.ts';
import { twiceIsHarmless } from '#app/http/database-away.server.ts';
import { firstFaults, requiredLine } from '#app/http/form-texts.ts';
import { blankForm, type FormWords, type Refusal, takeForm } from '#app/http/take-form.server.ts';
import { unconfirmedText } from '#app/lib/unconfirmed-text.ts';
import { withdrawCertificate } from './end-certificate.server.ts';
import { chooseWhatShows, correctName } from './holder.server.ts';

const schema = z.discriminatedUnion('act', [
  z.object({ act: z.literal('show'), shows: z.enum(['valid', 'name'], 'Choose what people see.') }),
  z.object({ act: z.literal('name'), name: requiredLine('the name as it should read', 80) }),
  z.object({
    act: z.literal('withdraw'),
    sure: z.literal('on', 'Tick the box if you want to withdraw it.'),
  }),
]);

type Asked = {
  form: FormData | null;
  /** Reads, in the transaction, the number of a certificate that belongs to the holder; null when there is none. */
  numberOf(trx: Trx): Promise<string | null>;
};

/** The result for the page. */
export type HolderDid = 'shown' | 'issued-again' | 'asked' | 'withdrawn';

/** Takes a form of the holder's page. Sending one again does no harm. */
export function takeHolderForm(
  academy: Academy,
  { form, numberOf }: Asked,
): Promise<{ ok: true; did: HolderDid } | Refusal> {
  return takeForm({ form, fresh: blankForm('Nothing was changed'), words }, async (values, refuse) => {
    const parsed = schema.safeParse(values);
    if (!parsed.success) return refuse(400, { errors: firstFaults(parsed.error) });
    const asked = parsed.data;
    const moment = momentOf(academy);
    const result = await academy.db.transaction().execute(async (trx) => {
      const number = await numberOf(trx);
      if (number === null) return { ok: false, reason: 'unknown' } as const;
      switch (asked.act) {
        case 'show': {
          const done = await chooseWhatShows(trx, number, asked.shows);
          return done.ok ? ({ ok: true, did: 'shown' } as const) : done;
        }
        case 'name': {
          const done = await correctName(trx, number, asked.name, moment);
          return done.ok ? ({ ok: true, did: done.done } as const) : done;
        }
        case 'withdraw': {
          const done = await withdrawCertificate(trx, number, moment.now);
          return done.ok ? ({ ok: true, did: 'withdrawn' } as const) : done;
        }
      }
    });
    if (result.ok) return result;
    if (result.reason === 'unknown') return refuse(404, {});
    if (result.reason === 'no-name' || result.reason === 'same') {
      return refuse(409, { errors: { name: whyNot[result.reason] } });
    }
    return refuse(409, result.reason === 'asked-before' ? whyNot['asked-before'] : whyNot.ended);
  });
}

const whyNot = {
  same: 'The certificate reads like this already.',
  'no-name': 'Enter a name in letters, at most 80 of them.',
  'asked-before': 'You have asked for another name already. We will answer by email.',
  ended: 'This certificate is no longer valid, so it cannot be changed.',
};

const words: FormWords = {
  unreadable: 'Part of the form was missing. Please send it again.',
  away: unconfirmedText('that this was saved', twiceIsHarmless),
  busy: 'Many people are here at the moment, so this was not saved yet. Please send it again in a few seconds.',
};
