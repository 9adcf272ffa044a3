import { passQuestion } from '#app/features/companies/employer-answers.server.ts';
import { findOffer, findRequest } from '#app/features/companies/queries.server.ts';
import { mayBe, stateOn } from '#app/features/companies/rules.ts';
import { type Academy, momentOf } from '#app/http/academy.server.ts';
import { busyText } from '#app/http/database-away.server.ts';
import { askLimits, waitText } from '#app/http/form-limit.server.ts';
import { optionalTextWithin } from '#app/http/form-texts.ts';
import { blankForm, type FormWords, type Refusal, takeForm } from '#app/http/take-form.server.ts';
import { unconfirmedText } from '#app/lib/unconfirmed-text.ts';
import { recordEnquiry } from './commands.server.ts';
import { queueEnquiryMails } from './mails.server.ts';

type Sent = { token: string; form: FormData | null; address: string };

/**
 * Takes the question of an employer who was asked to pay (P113): it goes to whoever asked, and is an enquiry for staff. The
 * same words within a day are one question (P25).
 */
export function askAsEmployer(academy: Academy, { token, form, address }: Sent): Promise<{ ok: true } | Refusal> {
  const { db, forms } = academy;
  return takeForm<{ ok: true }>({ form, fresh: blankForm(), words }, async (values, refuse) => {
    const offer = await findOffer(db, token);
    const request = offer && (await findRequest(db, offer.id));
    if (!request || !offer.facts) return refuse(404, 'There is nobody here to ask.');
    const moment = momentOf(academy);
    if (!mayBe(stateOn(offer, moment.today), 'accept'))
      return refuse(409, 'Not sent: this quote has ended. Talk to the person who asked you.');
    const question = optionalTextWithin(1000).safeParse(values.question ?? '');
    if (!question.success) return refuse(400, { errors: { question: question.error.issues[0]?.message ?? '' } });
    if (question.data === '') return refuse(400, { errors: { question: 'Enter your question.' } });
    const [firstName = '', ...others] = offer.name.split(' ');
    const enquiry = {
      kind: 'contact',
      firstName,
      lastName: others.join(' '),
      email: offer.email,
      phone: '',
      message: question.data,
      consent: false,
      details: { aboutLabel: `${offer.facts.number}, which ${request.name} (${request.email}) asked for` },
    } as const;
    return db.transaction().execute(async (trx) => {
      const room = await askLimits(trx, [{ limit: forms.limit, by: address }], moment.now);
      if (!room.ok)
        return refuse(429, `Many forms came from your network. Please send it again in ${waitText(room.waitMs)}.`);
      const stored = await recordEnquiry(trx, enquiry, { idempotencyKey: crypto.randomUUID(), at: moment.now });
      if (stored.repeat) return { ok: true };
      await queueEnquiryMails(trx, enquiry, stored, moment.academy, moment.now);
      await passQuestion(trx, offer, question.data, moment);
      await room.count();
      return { ok: true };
    });
  });
}

const words: FormWords = {
  unreadable: 'Part of the form was missing. Nothing was sent. Please send it again.',
  notSaved:
    'Our system is not available, so nothing was sent. What you wrote is still here. Please send it again in a few minutes.',
  away: unconfirmedText(
    'that your question was sent',
    'Please send it again in a few minutes; the repeat is recognised.',
  ),
  busy: busyText('What you wrote is still below.'),
};
