import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';

/** Sends the private link to an unfinished enrolment to an address that somebody typed. It repeats no text of the forms. */
export function enrolmentDraftLink(props: { link: string; days: number; academy: MailAcademy }): RenderedMail {
  const { link, days, academy } = props;
  return renderMail({
    subject: 'The link to finish enrolling',
    heading: 'Finish enrolling when you like',
    parts: [
      `This link opens what you filled in so far. We keep it for ${days} days after the last change.`,
      { action: 'Continue enrolling', href: link },
      'We keep your seats for only 15 minutes; the page says whether they are still free. Anyone with this link can read and change what you filled in, so keep it private.',
    ],
    academy,
    reason:
      'You get this because someone asked our website to send the link to this address. If it was not you, ignore this email.',
  });
}
