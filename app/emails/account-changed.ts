import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';

type Props = {
  /** What was changed, a sentence. */
  what: string;
  when: string;
  browser: string;
  /** The page that takes it back, and for how many days it works. */
  link: string;
  days: number;
  academy: MailAcademy;
};

/** Tells a player that the way they log in was changed, with a link that takes it back (P54). */
export function accountChanged({ what, when, browser, link, days, academy }: Props): RenderedMail {
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
      'If this was you, there is nothing to do.',
      `If it was not you, open the page below within ${days} days. It puts your account back as it was before, and logs out every browser.`,
      { action: 'This was not me', href: link },
    ],
    academy,
    reason: 'You get this because this address belongs to an account on our website.',
  });
}
