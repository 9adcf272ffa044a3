import { actOnConversation } from '#app/features/inbox/conversations/act.server.ts';
import { actOnEnquiry } from '#app/features/inbox/enquiries/act.server.ts';
import { acceptSuggestions, unmatchedPayments } from '#app/features/money/suggestions.server.ts';
import { keyOf } from '#app/features/money/suggestions.ts';
import { refund } from './leaving.ts';
import { answers } from './names.ts';
import { type Stage, weekday } from './stage.ts';

/**
 * On weekdays staff work off what waits since yesterday or longer: they answer most of what people wrote, match
 * payments, and send refunds. Some of it waits another day.
 */
export async function workOff(stage: Stage): Promise<void> {
  const { now, today } = stage.moment();
  if ([0, 6].includes(weekday(today))) return;
  const yesterday = new Date(now.getTime() - 20 * 3_600_000);
  await answerEnquiries(stage, yesterday);
  await answerChats(stage, yesterday);
  await matchPayments(stage);
  await sendRefunds(stage);
}

async function answerEnquiries(stage: Stage, before: Date): Promise<void> {
  const { db, draw, team } = stage;
  const { now, academy } = stage.moment();
  const open = await db
    .selectFrom('enquiries')
    .select('reference')
    .where('state', '=', 'new')
    .where('kind', 'in', ['contact', 'email'])
    .where('created_at', '<', before)
    .orderBy('id')
    .execute();
  for (const { reference } of open) {
    if (draw.chance(0.3)) continue;
    const acting = { reference, actor: team.admissions, at: now, seen: 0, academy };
    const act = { kind: 'answer', body: draw.of(answers) } as const;
    const done = await stage.transaction((trx) => actOnEnquiry(trx, act, acting));
    if (done.ok) stage.count('enquiries answered');
  }
}

async function answerChats(stage: Stage, before: Date): Promise<void> {
  const { db, draw, team } = stage;
  const { now } = stage.moment();
  const waiting = await db
    .selectFrom('conversations')
    .innerJoin('conversation_messages', 'conversation_id', 'conversations.id')
    .select(['conversations.id', ({ fn }) => fn.max('conversation_messages.id').as('seen')])
    .where('conversations.state', '=', 'waiting')
    .where('visitor_at', '<', before)
    .groupBy('conversations.id')
    .orderBy('conversations.id')
    .execute();
  for (const { id, seen } of waiting) {
    if (draw.chance(0.2)) continue;
    const acting = { conversationId: id, actor: team.admissions, at: now, seen: Number(seen) };
    await stage.transaction((trx) => actOnConversation(trx, { kind: 'answer', body: draw.of(answers) }, acting));
  }
}

/** A payment without a reference is matched when its payer and amount fit what is owed. */
async function matchPayments(stage: Stage): Promise<void> {
  const { db, draw, team } = stage;
  const { payments } = await unmatchedPayments(db, { most: 50 });
  const wanted = payments.flatMap(({ id, suggestions: [first] }) =>
    first && draw.chance(0.15) ? [{ paymentId: id, key: keyOf(first) }] : [],
  );
  if (wanted.length === 0) return;
  const by = { actor: team.admissions, at: stage.moment().now };
  const { accepted } = await stage.transaction((trx) => acceptSuggestions(trx, { wanted, sureOnly: false, ...by }));
  for (const _ of accepted) stage.count('payments matched by hand');
}

async function sendRefunds(stage: Stage): Promise<void> {
  const owing = await stage.db
    .selectFrom('enrolment_list')
    .select('enrolment_id as id')
    .where('balance_cents', '<', 0)
    .orderBy('enrolment_id')
    .execute();
  for (const { id } of owing) {
    if (stage.draw.chance(0.15) && (await refund(stage, id, stage.moment()))) stage.count('refunds sent');
  }
}
