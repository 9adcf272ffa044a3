import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';

type Props = {
  /** What was changed, a sentence. */
  what: string;
  when: string;
  browser: string;
  /** The page that takes it back, and the day on which it ends, such as `Monday 15 September 2025`; null for staff. */
  undo: { link: string; day: string } | null;
  academy: MailAcademy;
};

/** Tells a player that the way they log in was changed, with a link that takes it back (P54). */
export function accountChanged({ what, when, browser, undo, academy }: Props): RenderedMail {
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
      ...(undo
        ? [
            `If it was not you, open the page below before ${undo.day} and press the button there. It takes back this change and logs out every browser. Do so for each change that was not yours.`,
            { action: 'This was not me', href: undo.link },
          ]
        : ['If it was not you, tell an owner of the academy at once. They end your logins.']),
    ],
    academy,
    reason: 'You get this because this address belongs to an account on our website.',
  });
}
