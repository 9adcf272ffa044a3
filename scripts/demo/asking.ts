import { readBookingSettings } from '#app/features/catalogue/site/queries.server.ts';
import { venues, weeksAhead } from '#app/features/enrolments/waiting/rules.ts';
import { bookTime, cancelBooking } from '#app/features/inbox/bookings/commands.server.ts';
import { queueBookingMails } from '#app/features/inbox/bookings/mails.server.ts';
import { readTakenAhead } from '#app/features/inbox/bookings/queries.server.ts';
import { freeStartsOn } from '#app/features/inbox/bookings/rules.ts';
import { actOnConversation } from '#app/features/inbox/conversations/act.server.ts';
import { addVisitorMessage, startConversation } from '#app/features/inbox/conversations/commands.server.ts';
import { findByToken } from '#app/features/inbox/conversations/links.server.ts';
import { takeInboundEmail } from '#app/features/inbox/email/take.server.ts';
import { actOnEnquiry } from '#app/features/inbox/enquiries/act.server.ts';
import { type Enquiry, recordEnquiry } from '#app/features/inbox/enquiries/commands.server.ts';
import { queueEnquiryMails } from '#app/features/inbox/enquiries/mails.server.ts';
import { interests } from '#app/features/inbox/enquiries/options.ts';
import { addDays } from '#app/lib/dates.ts';
import { someone } from './buying.ts';
import { answers, followUps, questions, subjects } from './names.ts';
import type { Sold } from './planning.ts';
import type { Stage } from './stage.ts';
import { joinList } from './waiting.ts';

/** Somebody writes on the contact page; staff mostly answer within two days. */
export async function enquire(stage: Stage): Promise<string> {
  const { draw, team } = stage;
  const { now, academy } = stage.moment();
  const { name, email } = someone(stage);
  const [firstName = '', ...rest] = name.split(' ');
  const enquiry: Enquiry = {
    kind: 'contact',
    firstName,
    lastName: rest.join(' '),
    email,
    phone: '',
    message: draw.of(questions),
    consent: draw.chance(0.3),
    details: { interest: draw.of(interests).value },
  };
  const { reference } = await stage.transaction(async (trx) => {
    const stored = await recordEnquiry(trx, enquiry, { idempotencyKey: draw.uuid(), at: now });
    await queueEnquiryMails(trx, enquiry, stored, academy, now);
    return stored;
  });
  if (draw.chance(0.9)) {
    stage.later(draw.below(3), 15.5, async (then) => {
      const acting = { reference, actor: team.admissions, at: then.now, seen: 0, academy: then.academy };
      const act = { kind: 'answer', body: draw.of(answers) } as const;
      const done = await stage.transaction((trx) => actOnEnquiry(trx, act, acting));
      return done.ok ? 'enquiries answered' : null;
    });
  }
  return 'enquiries';
}

/** Somebody writes an email; staff answer, and one in three writes back. */
export async function email(stage: Stage): Promise<string> {
  const { draw, team } = stage;
  const from = someone(stage);
  const messageId = await arrive(stage, stage.moment().now, {
    from,
    subject: draw.of(subjects),
    text: draw.of(questions),
  });
  if (draw.chance(0.15)) return 'emails';
  stage.later(draw.below(2), 14.5, async (then) => {
    const answered = await stage.transaction(async (trx) => {
      const { reference } = await trx
        .selectFrom('enquiries')
        .innerJoin('inbound_emails', 'enquiry_id', 'enquiries.id')
        .select('reference')
        .where('message_id', '=', messageId)
        .executeTakeFirstOrThrow();
      const acting = { reference, actor: team.admissions, at: then.now, seen: 0, academy: then.academy };
      return actOnEnquiry(trx, { kind: 'answer', body: draw.of(answers) }, acting);
    });
    if (!answered.ok) return null;
    if (draw.chance(0.35)) {
      const again = { from, subject: 'Re: my question', text: draw.of(followUps), answers: [messageId] };
      stage.later(1, 10.5, async (later) => {
        await arrive(stage, later.now, again);
        return 'emails';
      });
    }
    return 'enquiries answered';
  });
  return 'emails';
}

type Written = { from: { name: string; email: string }; subject: string; text: string; answers?: readonly string[] };

/** Takes an email as the mail server hands it over; resolves with its Message-ID. */
async function arrive({ draw, transaction, moment }: Stage, at: Date, written: Written): Promise<string> {
  const { from, subject, text, answers = [] } = written;
  const messageId = `<${draw.uuid()}@mail.example>`;
  const head = [`From: ${from.name} <${from.email}>`, `Subject: ${subject}`, `Message-ID: ${messageId}`];
  const source = new TextEncoder().encode(`${head.join('\r\n')}\r\n\r\n${text}\r\n`);
  const address = { name: from.name, address: from.email };
  const email = {
    ...{ messageId, answers, from: address, replyTo: null, subject, text, date: at.toUTCString(), receivedAt: null },
    ...{ files: [], automatic: false, invitation: null, copies: [], report: null },
  };
  await transaction((trx) =>
    takeInboundEmail(
      trx,
      { email, source, envelopeSender: from.email },
      { now: at, ourAddress: moment().academy.email },
    ),
  );
  return messageId;
}

/** Somebody opens a chat; staff answer, and the visitor sometimes comes back. */
export async function chat(stage: Stage): Promise<string> {
  const { db, draw, team, secret } = stage;
  const { now } = stage.moment();
  const named = draw.chance(0.6) ? someone(stage) : { name: '', email: '' };
  const idempotencyKey = draw.uuid();
  const { token } = await stage.transaction((trx) =>
    startConversation(trx, { ...named, message: draw.of(questions), about: null }, { secret, idempotencyKey, at: now }),
  );
  const conversationId = await findByToken(db, token);
  if (conversationId === null || draw.chance(0.06)) return 'chats';
  const minutes = (count: number) => new Date(now.getTime() + count * 60_000);
  const answer = { kind: 'answer', body: draw.of(answers) } as const;
  const by = { conversationId, actor: team.admissions };
  await stage.transaction((trx) => actOnConversation(trx, answer, { ...by, at: minutes(4), seen: 0 }));
  if (draw.chance(0.5)) {
    const message = { body: 'Great, thank you. I will have a look.', idempotencyKey: draw.uuid(), at: minutes(9) };
    await stage.transaction((trx) => addVisitorMessage(trx, conversationId, message));
  }
  if (draw.chance(0.9)) {
    stage.later(1, 9.5, async (then) => {
      const { seen } = await db
        .selectFrom('conversation_messages')
        .select((eb) => eb.fn.max('id').as('seen'))
        .where('conversation_id', '=', conversationId)
        .executeTakeFirstOrThrow();
      const acting = { ...by, at: then.now, seen: Number(seen ?? 0) };
      await stage.transaction((trx) => actOnConversation(trx, { kind: 'closed' }, acting));
      return null;
    });
  }
  return 'chats';
}

/** Somebody books a time with an adviser; one in ten cancels it. */
export async function book(stage: Stage): Promise<string | null> {
  const { db, draw } = stage;
  const { now, today, academy } = stage.moment();
  const settings = await readBookingSettings(db);
  const kind = draw.of(['career-counseling', 'career-counseling', 'virtual-tour'] as const);
  const taken = await readTakenAhead(db, now);
  const free = freeStartsOn(addDays(today, 1 + draw.below(14)), kind, settings, { taken, now });
  if (free.length === 0) return null;
  const note = draw.chance(0.4) ? draw.of(questions) : '';
  const wish = { kind, start: draw.of(free), ...someone(stage), note, about: null };
  const booking = await stage.transaction(async (trx) => {
    const booked = await bookTime(trx, wish, { settings, now });
    if (!booked.ok || !booked.booking) return null;
    await queueBookingMails(trx, { event: 'booked', booking: booked.booking }, { academy, at: now });
    return booked.booking;
  });
  if (!booking) return null;
  if (draw.chance(0.1)) {
    stage.later(1, 12, (then) =>
      stage.transaction(async (trx) => {
        const cancelled = await cancelBooking(trx, booking.id, then);
        if (!cancelled.ok) return null;
        const change = { event: 'cancelled', booking: cancelled.booking } as const;
        await queueBookingMails(trx, change, { academy: then.academy, at: then.now });
        return 'bookings cancelled';
      }),
    );
  }
  return 'bookings';
}

/** Somebody asks for dates of a course; most name weeks that suit, some also a place (P98). */
export async function askForDates(stage: Stage, courses: readonly Sold[]): Promise<string | null> {
  const { draw } = stage;
  const { name, email } = someone(stage);
  const weeks = weeksAhead(stage.moment().today).filter(() => draw.chance(0.25));
  const venue = draw.chance(0.5) ? draw.of(venues) : null;
  const seats = draw.chance(0.85) ? 1 : 2 + draw.below(3);
  return joinList(stage, {
    courseId: draw.of(courses).id,
    courseDateId: null,
    seats,
    preferences: { weeks, venue },
    name,
    email,
  });
}
