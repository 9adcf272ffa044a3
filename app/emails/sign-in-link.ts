import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';

/** A link by which a member of staff signs in. `link` is the whole address, `minutes` how long it may be used. */
export function signInLink(props: { link: string; minutes: number; academy: MailAcademy }): RenderedMail {
  const { link, minutes, academy } = props;
  return renderMail({
    subject: 'Your link to sign in',
    heading: 'Sign in to the staff pages',
    parts: [
      `The link below opens a page with a button that signs you in. It works once, within ${minutes} minutes.`,
      { action: 'Open the sign-in page', href: link },
    ],
    academy,
    reason:
      'You get this because someone gave your address on the sign-in page for staff. If it was not you, nothing happens unless you press the button: ignore this email.',
  });
}
