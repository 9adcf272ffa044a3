import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';

type Props = {
  audience: 'player' | 'staff';
  /** The whole address, and for how many minutes it works. */
  link: string;
  minutes: number;
  /** Null when nobody asked in a browser: then only the link signs in. */
  code: string | null;
  codeMinutes: number;
  academy: MailAcademy;
};

/** The link and the code by which a player or a member of staff signs in (P51). */
export function signInLink({ audience, link, minutes, code, codeMinutes, academy }: Props): RenderedMail {
  const forStaff = audience === 'staff';
  const verb = forStaff ? 'sign in' : 'log in';
  return renderMail({
    subject: `${code ? 'Your code and link' : 'Your link'} to ${verb}`,
    heading: forStaff ? 'Sign in to the staff pages' : 'Log in to your account',
    parts: [
      ...(code
        ? [
            { code },
            `Type the code on the page where you asked for it. It works once, for ${codeMinutes} minutes, in that browser only. Nobody from the academy will ever ask you for it.`,
            `You can also open the link below and press the button on its page. The link works once, for ${minutes} minutes.`,
          ]
        : [`The link below opens a page with a button to ${verb}. It works once, for ${minutes} minutes.`]),
      { action: forStaff ? 'Open the sign-in page' : 'Open the login page', href: link },
    ],
    academy,
    reason: forStaff
      ? 'You get this because someone gave your address on the sign-in page for staff. If it was not you, ignore this email: nothing happens.'
      : 'You get this because someone gave your address on our login page. If it was not you, ignore this email: nothing happens, and no account is made.',
  });
}
