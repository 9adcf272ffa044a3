import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';
import type { MailPart } from './mail-parts.tsx';

type Props = {
  reference: string;
  /** The kind of enquiry, such as "Message" or "Enrolment request". */
  title: string;
  /** The reference of the enquiry that this one corrects. */
  corrects: string | null;
  name: string;
  email: string;
  phone: string;
  /** Details that only this kind of enquiry has, such as the course. */
  details: readonly (readonly [name: string, value: string])[];
  message: string;
  academy: MailAcademy;
};

/** Hands a visitor's enquiry to the academy's own address; a reply goes to the visitor. */
export function enquiryMessage(props: Props): RenderedMail {
  const { reference, title, corrects, name, email, phone, details, message, academy } = props;
  const parts: MailPart[] = [];
  if (corrects) parts.push(`This corrects an earlier message from the same person: ${corrects}.`);
  const facts = [['Reference', reference], ['Name', name], ['Email', email], ['Phone', phone], ...details] as const;
  parts.push({ facts: facts.filter(([, value]) => value !== '') });
  if (message) parts.push({ quote: message });
  parts.push({ note: 'A reply to this email goes to the person who wrote. The website shows them the reference.' });
  return renderMail({
    subject: `${title} ${reference}`,
    heading: title,
    preheader: `From ${name}, ${email}`,
    parts,
    academy,
    toStaff: true,
    reason: 'The website sends this to the academy for every form that is sent.',
  });
}
