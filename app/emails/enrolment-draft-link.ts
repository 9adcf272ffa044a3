import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';

/** Sends the private link to an unfinished enrolment to an address that somebody typed. It repeats no text of the forms. */
export function enrolmentDraftLink(props: { link: string; days: number; academy: MailAcademy }): RenderedMail {
  const { link, days, academy } = props;
  return renderMail({
    subject: 'The link to finish enrolling',
    heading: 'Finish enrolling when you like',
    parts: [
      `You have not enrolled yet. We keep what you filled in for ${days} days after the last change.`,
      { action: 'Continue enrolling', href: link },
      {
        note: 'We hold seats for 15 minutes only. The page says whether they are still free. Anyone with this link can read and change what you filled in, so please do not forward this email.',
      },
    ],
    academy,
    reason:
      'You get this because someone asked our website to send the link to this address. If it was not you, ignore this email.',
  });
}
