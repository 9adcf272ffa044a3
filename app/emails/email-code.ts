import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';

type Props = { code: string; minutes: number; academy: MailAcademy };

/** The code by which somebody shows that they read this address (P28, P111). It repeats no text of the form. */
export function emailCode({ code, minutes, academy }: Props): RenderedMail {
  return renderMail({
    subject: `Your code for ${academy.name}`,
    heading: 'Your code',
    parts: [
      'Type this code on the page that asks for it to confirm your email address.',
      { code },
      `The code works once, for ${minutes} minutes. Nothing is bought yet and you owe nothing.`,
    ],
    academy,
    reason:
      'You get this because someone gave this address while enrolling or making a quote on our website. If it was not you, do nothing: nobody can go on without the code.',
  });
}
