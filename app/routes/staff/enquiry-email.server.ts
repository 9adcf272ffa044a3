import { href } from 'react-router';
import { mostCharacters, mostFiles } from '#app/features/inbox/email/email.ts';
import { ownWordsOf } from '#app/features/inbox/email/own-words.ts';
import type { readConversation, readEmailForStaff } from '#app/features/inbox/email/read.server.ts';
import type { StaffActor } from '#app/features/people/actor.ts';
import { formatMoment } from '#app/lib/short-dates.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import type { OtherMessage, ShownEmail } from './enquiry-message.tsx';

type Email = NonNullable<Awaited<ReturnType<typeof readEmailForStaff>>>;

/** An email as its page shows it: what its sender wrote, and apart from that what it repeats. `from` is its address. */
export function shownEmail(email: Email, { message, from }: { message: string; from: string }) {
  const { own, repeated } = ownWordsOf(message);
  const answered = email.answers_recipient;
  const shown: ShownEmail = {
    subject: showControlCharacters(email.subject),
    repeated: showControlCharacters(repeated),
    automatic: email.automatic,
    // Who asks for answers at another address may be anybody who writes from the first.
    isProved: email.sender === null && answered?.toLowerCase() === from.toLowerCase(),
    // A cut may leave half a character out.
    isCut: message.length >= mostCharacters - 1 || email.files.length >= mostFiles,
    files: email.files.map(({ name, bytes }, at) => ({
      number: at + 1,
      name: showControlCharacters(name),
      size: sizeOf(bytes),
    })),
  };
  const facts = [
    ['Sent from', email.sender === null ? '' : `${email.sender}, which asks for answers to the address above`],
    ['Went to as well', email.copies.join(', ')],
    ['Answers', email.answers_subject === null ? '' : `our email “${email.answers_subject}” to ${answered}`],
  ].map(([label = '', text = '']) => [label, showControlCharacters(text)] as const);
  return { own, shown, facts, about: email.about ? [aboutOf(email.about)] : [] };
}

/** What an answer answers besides the message, as a sentence after others. */
export const alsoAnswered = (before: number): string =>
  before === 0
    ? ''
    : ` It also answers ${before === 1 ? 'the open message' : `the ${before} open messages`} before this one.`;

/** Leads to all that we have of a person, for who may see it. */
export const personLink = (actor: StaffActor, personId: number | null) =>
  personId !== null && actor.can.has('people:read')
    ? [{ label: 'Person', text: 'All we have of them', to: href('/staff/people/:id', { id: String(personId) }) }]
    : [];

const aboutOf = ({ kind, reference }: NonNullable<Email['about']>) =>
  kind === 'enrolment'
    ? { label: 'Enrolment', text: reference, to: href('/staff/enrolments/:reference', { reference }) }
    : { label: 'Booking', text: reference, to: href('/staff/bookings/:reference', { reference }) };

/**
 * The other messages of a conversation, each without what it repeats. Anybody who names an email of ours is in its
 * conversation, under any name: what came from another address than `from` has its address with it.
 */
export const shownConversation = (
  { messages }: Awaited<ReturnType<typeof readConversation>>,
  from: string,
): OtherMessage[] =>
  messages.map(({ reference, first_name, last_name, email, message, state, created_at, answers }) => ({
    reference,
    otherAddress: email.toLowerCase() === from.toLowerCase() ? null : showControlCharacters(email),
    by: showControlCharacters(`${first_name} ${last_name}`.trim()),
    at: formatMoment(created_at),
    message: showControlCharacters(ownWordsOf(message ?? '').own),
    state,
    answers: answers.map(({ id, by, body, created_at: at }) => ({
      id,
      by: by ?? '',
      at: formatMoment(at),
      body: showControlCharacters(body ?? ''),
    })),
  }));

function sizeOf(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
