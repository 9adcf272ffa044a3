import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';

type Props = {
  /** What was changed, a sentence. */
  what: string;
  when: string;
  browser: string;
  /** The page that takes it back, and the day on which it ends, such as `Monday 15 September 2025`. */
  link: string;
  day: string;
  academy: MailAcademy;
};

/** Tells a player that the way they log in was changed, with a link that takes it back (P54). */
export function accountChanged({ what, when, browser, link, day, academy }: Props): RenderedMail {
  return renderMail({
    subject: 'Your account was changed',
    heading: 'Your account was changed',
    parts: [
      what,
      {
        facts: [
          ['When', `${when}, Brisbane time`],
          ['Where', browser],
        ],
      },
      'If this was you, you don’t need to do anything.',
      `If it was not you, open the page below before ${day} and press the button there. It takes back this change and every later one, and logs out every browser.`,
      { action: 'This was not me', href: link },
    ],
    academy,
    reason: 'You get this because this address belongs to an account on our website.',
  });
}
