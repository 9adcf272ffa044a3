import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';
import type { MailPart } from './mail-parts.tsx';

/** The parts of an acknowledgement. `consent` is the page on which the person sees and withdraws their consent. */
export type Acknowledged = { reference: string; consent: string; academy: MailAcademy };

/**
 * Tells the person with this address that we received their form. It repeats no text of the form (P49), because somebody
 * else may have typed the address.
 */
export function contactAcknowledgement(props: Acknowledged): RenderedMail {
  const { reference, consent, academy } = props;
  return renderMail({
    subject: `We have your message: ${reference}`,
    heading: 'We have your message',
    parts: [
      'Thank you for writing. One of our staff will answer within one business day, Brisbane time.',
      { facts: [['Reference', reference]] },
      `You would like a quote for a course? You can make one in a minute with “Get a quote” on its page: ${academy.url}/quote`,
      `If you want to add something, reply to this email or call ${academy.phone}, and quote the reference.`,
    ],
    academy,
    consent,
    reason: `You get this because someone gave this address in a form on our website. If it was not you, you can ignore this email.`,
  });
}

/**
 * The answer of a member of staff to an enquiry. It quotes no text of the enquiry: anyone may have typed that. The answer
 * to an email has its subject, by which mail programs show the two together.
 */
export function enquiryAnswer(props: {
  reference: string;
  /** As typed; a blank line begins a new paragraph. */
  body: string;
  /** The name of the member of staff. */
  from: string;
  /** The subject of the email that it answers; null for a message from a form. */
  emailSubject: string | null;
  academy: MailAcademy;
}): RenderedMail {
  const { reference, body, from, emailSubject, academy } = props;
  return renderMail({
    subject: emailSubject ? `Re: ${emailSubject.replace(/^(re: *)+/i, '')}` : `An answer to your message: ${reference}`,
    heading: 'An answer to your message',
    preheader: body.replace(/\s+/g, ' ').slice(0, 140),
    parts: [...body.split(/\n{2,}/), `${from}, ${academy.name}`, { facts: [['Reference', reference]] }],
    academy,
    reason: `You get this because you ${emailSubject === null ? 'gave this address in a form on our website' : 'wrote to us'}. Reply to this email to write back.`,
  });
}

type EnquiryMessageProps = {
  reference: string;
  /** The kind of enquiry, such as "Message" or "Enrolment request". */
  title: string;
  /** The reference of the enquiry that this one corrects. */
  corrects: string | null;
  name: string;
  email: string;
  phone: string;
  /** Details that only this kind of enquiry has, such as the course. */
  details: readonly (readonly [name: string, value: string])[];
  message: string;
  academy: MailAcademy;
};

/** Hands a visitor's enquiry to the academy's own address; a reply goes to the visitor. */
export function enquiryMessage(props: EnquiryMessageProps): RenderedMail {
  const { reference, title, corrects, name, email, phone, details, message, academy } = props;
  const parts: MailPart[] = [];
  if (corrects) parts.push(`This corrects an earlier message from the same person: ${corrects}.`);
  const facts = [['Reference', reference], ['Name', name], ['Email', email], ['Phone', phone], ...details] as const;
  parts.push({ facts: facts.filter(([, value]) => value !== '') });
  if (message) parts.push({ quote: message });
  parts.push({ note: 'A reply to this email goes to the person who wrote. The website shows them the reference.' });
  return renderMail({
    subject: `${title} ${reference}`,
    heading: title,
    preheader: `From ${name}, ${email}`,
    parts,
    academy,
    toStaff: true,
    reason: 'The website sends this to the academy for every form that is sent.',
  });
}

type AnswersWaitingProps = {
  /** Course, module and since when, for each answer; at most some. */
  answers: readonly { course: string; module: string; since: string }[];
  /** How many there are in all. */
  count: number;
  link: string;
  academy: MailAcademy;
};

/** Tells an instructor which exercises wait for them, without names and answers: those are behind the sign-in. */
export function answersWaiting({ answers, count, link, academy }: AnswersWaitingProps): RenderedMail {
  const subject = count === 1 ? '1 exercise to mark' : `${count} exercises to mark`;
  return renderMail({
    subject,
    heading: subject,
    parts: [
      ...answers.map(({ course, module, since }) => `${course}, ${module}, handed in ${since}.`),
      ...(count > answers.length ? [`The page lists ${count - answers.length} more.`] : []),
      { action: 'See the exercises', href: link },
    ],
    academy,
    reason: 'You get this once a day while exercises of your courses wait to be marked.',
  });
}

/** Tells a visitor that staff answered in a conversation. It quotes no message: anyone may have typed the address. */
export function conversationAnswer({ link, academy }: { link: string; academy: MailAcademy }): RenderedMail {
  return renderMail({
    subject: 'Our staff have answered your chat',
    heading: 'Our staff have answered your chat',
    parts: [
      'You had left the chat when our answer came. Open it to read the answer and write back.',
      { action: 'Read the answer', href: link },
      { note: 'Anyone with this link can read the chat, so please do not forward this email.' },
    ],
    academy,
    reason:
      'You get this because you gave this address in a chat on our website. We send at most one of these an hour.',
  });
}

type ConversationNoticeProps = {
  name: string | null;
  email: string | null;
  /** The subject of the page from which the visitor came. */
  about: string | null;
  /** The visitor's last message. */
  message: string;
  /** The conversation's page for staff. */
  link: string;
  academy: MailAcademy;
};

/** Tells the academy that a conversation waits for an answer. It is answered on its page, not by email. */
export function conversationNotice({
  name,
  email,
  about,
  message,
  link,
  academy,
}: ConversationNoticeProps): RenderedMail {
  const facts = [
    ['Name', name ?? 'not given'],
    ['Email', email ?? 'not given'],
    ['About', about ?? ''],
  ] as const;
  return renderMail({
    subject: 'A chat is waiting for an answer',
    heading: 'A chat is waiting for an answer',
    parts: [
      'Nobody has answered this visitor for two minutes.',
      { facts: facts.filter(([, value]) => value !== '') },
      { quote: message },
      { action: 'Answer the chat', href: link },
    ],
    academy,
    toStaff: true,
    reason: 'The website sends this to the academy when a chat waits for an answer.',
  });
}
