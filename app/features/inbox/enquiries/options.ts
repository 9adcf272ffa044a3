/** The options of the forms. Apart from the schemas, whose library stays out of the browser. */

/** The options of "Interested In", in the specification's order; the first means none. */
export const interests = [
  { value: '', label: 'Select a course category' },
  { value: 'cybersecurity-fundamentals', label: 'Cybersecurity Fundamentals' },
  { value: 'ethical-hacking', label: 'Ethical Hacking & Penetration Testing' },
  { value: 'cloud-security', label: 'Cloud Security' },
  { value: 'digital-forensics', label: 'Digital Forensics' },
  { value: 'compliance-risk', label: 'Compliance & Risk Management' },
  { value: 'corporate-training', label: 'Corporate Training' },
  { value: 'other', label: 'Other' },
] as const;

/** The wording beside the box for news, which is never ticked in advance (P23); stored with the consent (P49). */
export const consentWording = 'Tell me now and then about new courses and dates. I can stop this at any time.';
