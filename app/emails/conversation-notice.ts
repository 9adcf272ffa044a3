import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';

type Props = {
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
export function conversationNotice({ name, email, about, message, link, academy }: Props): RenderedMail {
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
