/** Invented people and organisations: no address of theirs can receive mail (`.example` belongs to nobody). */
import { isAbn } from '#app/lib/abn.ts';

export const firstNames = [
  ...['Olivia', 'Noah', 'Charlotte', 'Jack', 'Amelia', 'Leo', 'Isla', 'Henry', 'Mia', 'William', 'Ava', 'Lachlan'],
  ...['Matilda', 'Cooper', 'Grace', 'Hudson', 'Willow', 'Archie', 'Ruby', 'Angus', 'Zoe', 'Callum', 'Priya', 'Arjun'],
  ...['Mei', 'Daniel', 'Linh', 'Minh', 'Aisha', 'Omar', 'Sofia', 'Luca', 'Eleni', 'Nikos', 'Jarrah', 'Kirra'],
  ...[
    'Tane',
    'Aroha',
    'Bridget',
    'Declan',
    'Imogen',
    'Rory',
    'Harriet',
    'Fraser',
    'Jasmine',
    'Kiran',
    'Ngaire',
    'Toby',
  ],
] as const;

export const lastNames = [
  ...['Smith', 'Nguyen', 'Jones', 'Williams', 'Brown', 'Wilson', 'Taylor', 'Singh', 'Tran', 'Chen', 'Kelly', 'Ryan'],
  ...['Patel', 'Murphy', 'Papadopoulos', 'Rossi', 'Campbell', 'McDonald', 'Lee', 'Walker', 'Kaur', 'Hughes', 'Pham'],
  ...['Doyle', 'Fitzgerald', 'Wright', 'Sharma', 'Hassan', 'Bell', 'Cooper', 'Fraser', 'Gallagher', 'Ibrahim', 'Marsh'],
  ...['Novak', 'Osborne', 'Reid', 'Sullivan', 'Teo', 'Vella', 'Watts', 'Young', 'Zhang', 'Kowalski', 'Barnes', 'Dunn'],
] as const;

/** Each with the first nine digits of its ABN; the two before them are its checksum. */
export const organisations = [
  {
    name: 'Moreton Bay Credit Union',
    domain: 'moretonbaycu',
    digits: '104882301',
    address: '12 Redcliffe Parade, Redcliffe QLD 4020',
  },
  {
    name: 'Southern Cross Freight Pty Ltd',
    domain: 'sxfreight',
    digits: '117203944',
    address: '88 Lytton Road, Murarrie QLD 4172',
  },
  {
    name: 'Wattle Health Network',
    domain: 'wattlehealth',
    digits: '120991457',
    address: '3 Hospital Drive, Parramatta NSW 2150',
  },
  {
    name: 'Yarra Valley Water Services',
    domain: 'yarrawater',
    digits: '133405128',
    address: '200 Lilydale Road, Lilydale VIC 3140',
  },
  {
    name: 'Pilbara Power Co-operative',
    domain: 'pilbarapower',
    digits: '145562090',
    address: '41 Wedge Street, Port Hedland WA 6721',
  },
  {
    name: 'Kestrel Legal',
    domain: 'kestrellegal',
    digits: '150938811',
    address: 'Level 9, 77 Eagle Street, Brisbane QLD 4000',
  },
  {
    name: 'Banksia Community Housing',
    domain: 'banksiahousing',
    digits: '162774305',
    address: '5 Nerang Street, Southport QLD 4215',
  },
  {
    name: 'Harbourline Insurance Ltd',
    domain: 'harbourline',
    digits: '178120667',
    address: '14 Bridge Street, Sydney NSW 2000',
  },
  {
    name: 'Tamar Ridge Dairy',
    domain: 'tamarridge',
    digits: '189453270',
    address: '630 Rosevears Drive, Rosevears TAS 7277',
  },
  {
    name: 'Redgum Software Pty Ltd',
    domain: 'redgumsoftware',
    digits: '191667082',
    address: '22 Grenfell Street, Adelaide SA 5000',
  },
] as const;

/** A whole ABN: its checksum in front of the other nine digits. */
export function abnOf(digits: string): string {
  for (let check = 10; check < 100; check += 1) if (isAbn(`${check}${digits}`)) return `${check}${digits}`;
  throw new Error(`no checksum for ${digits}`);
}

export const questions = [
  'Do I need to know how to program before I start?',
  'My employer would pay. Can you send the invoice to our accounts team?',
  'Is the exam voucher included in the price?',
  'I work shifts. Which of your courses can I take in the evening?',
  'Are the classes recorded if I miss half a day?',
  'I finished Security+ last year. What would you take next?',
  'We are a team of nine in Ipswich. Can you teach at our office?',
  'Can I change the date later if work gets in the way?',
  'What laptop do I need for the labs?',
  'Is the venue wheelchair accessible?',
] as const;

export const subjects = [
  'A question about a course',
  'Evening classes',
  'Which course first?',
  'Invoice to my employer',
  'Labs and laptops',
] as const;

export const followUps = [
  'Thank you, that helps. I will talk to my manager and enrol this week.',
  'Good to know. And if I have to miss the last afternoon, do I still get the certificate?',
  'One more thing: can two of us share a purchase order?',
] as const;

export const answers = [
  'Thanks for asking. The course page lists what you need beforehand; most people start with less than they fear. Tell me what you do now and I will suggest a first course.',
  'Yes. Choose "An organisation pays" when you enrol and give the accounts address there. They get a copy of every invoice.',
  'The course page says what the price includes. Exam vouchers are bought from the exam provider, and your instructor shows you how.',
  'Guided study suits shifts best: you set your own hours, and an instructor reads each exercise. Every course that offers it says so.',
  'You can move to another date once, free, before the first day. Your private link in the confirmation email does it.',
] as const;

export const exerciseAnswers = [
  'I compared the sender domain with the Return-Path and found a lookalike domain. The link leads to a page that copies our sign-in form. I reported it and blocked the domain.',
  'The firewall log shows 40 connections a minute from one address. I added a rule for that network and checked that the mail server still answers.',
  'Three risks: no second factor on the admin account, backups on the same disk, and an unpatched VPN. I would fix them in that order, because the first needs no downtime.',
  'I built the virtual network with two subnets and moved the database to the private one. The security group lets in port 5432 from the app subnet only.',
] as const;
