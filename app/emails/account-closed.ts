import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';

type Props = {
  /** The day on which the account is deleted, such as `Monday 15 September 2025`. */
  day: string;
  when: string;
  browser: string;
  /** The page that opens the account again, until then. */
  link: string;
  academy: MailAcademy;
};

/** Tells a player that their account was closed and until when it can be kept (P58), also if it was not them (P54). */
export function accountClosed({ day, when, browser, link, academy }: Props): RenderedMail {
  return renderMail({
    subject: 'Your account is closed',
    heading: 'Your account is closed',
    parts: [
      `Your account was closed and every browser was logged out. We delete the account on ${day}.`,
      {
        facts: [
          ['When', `${when}, Brisbane time`],
          ['Where', browser],
        ],
      },
      'If you closed it, you don’t need to do anything. If you change your mind, log in before that day and choose to keep it. What you bought stays yours either way: the links in your emails go on working.',
      `If somebody else closed it, open the page below before ${day} and press the button there. The account is then open again, the way you log in is as it was before, and every browser is logged out.`,
      { action: 'This was not me', href: link },
    ],
    academy,
    reason: 'You get this because this address belongs to an account on our website.',
  });
}
