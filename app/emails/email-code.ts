import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';

type Props = { code: string; minutes: number; academy: MailAcademy };

/** The code by which a buyer shows that they read this address (P28). It repeats no text of the form. */
export function emailCode({ code, minutes, academy }: Props): RenderedMail {
  return renderMail({
    subject: `Your code for ${academy.name}`,
    heading: 'Your code',
    parts: [
      'Type this code on the enrolment page to confirm your email address.',
      { code },
      `The code works once, for ${minutes} minutes. You have not enrolled yet and owe nothing.`,
    ],
    academy,
    reason:
      'You get this because someone gave this address while enrolling on our website. If it was not you, do nothing: nobody can enrol without the code.',
  });
}
