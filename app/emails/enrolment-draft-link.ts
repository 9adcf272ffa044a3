import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';

/** Sends the private link to an unfinished enrolment to an address that somebody typed. It repeats no text of the forms. */
export function enrolmentDraftLink(props: { link: string; days: number; academy: MailAcademy }): RenderedMail {
  const { link, days, academy } = props;
  return renderMail({
    subject: 'The link to finish enrolling',
    heading: 'Finish enrolling when you like',
    parts: [
      `This link opens what was filled in so far. It is kept for ${days} days after the last change.`,
      { action: 'Go on enrolling', href: link },
      'Seats are kept for a quarter of an hour only; the page says whether they are still free. Whoever has this link can read and change what was filled in, so keep it to yourself.',
    ],
    academy,
    reason:
      'You get this because somebody asked on our website to send the link to this address. If it was not you, ignore this e-mail.',
  });
}
