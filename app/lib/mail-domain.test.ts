import { expect, test } from 'vitest';
import { mailDomainOf } from './mail-domain.ts';

test.each([
  ['ada@Company.com.au', 'company.com.au'],
  ['ada@mail.company.com.au', 'company.com.au'],
  ['x1@a.b.c.catch-all.example', 'catch-all.example'],
  ['ada@uq.edu.au', 'uq.edu.au'],
  ['ada@company.co.uk', 'company.co.uk'],
  ['ada@company.de', 'company.de'],
  ['ada@co.de', 'co.de'],
  // Names that only look like a provider's.
  ['ada@gmail.evil.example', 'evil.example'],
  ['ada@hotmail.shop', 'hotmail.shop'],
  ['ada@my-gmail.com', 'my-gmail.com'],
  ['ada@yahoo.tk', 'yahoo.tk'],
])('%s is of the domain %s', (address, domain) => {
  expect(mailDomainOf(address)).toBe(domain);
});

test.each([
  'ada@gmail.com',
  'ADA@Gmail.com ',
  'ada@googlemail.com',
  'ada@outlook.com.au',
  'ada@hotmail.co.uk',
  'ada@live.com.au',
  'ada@yahoo.com.au',
  'ada@yahoo.fr',
  'ada@icloud.com',
  'ada@bigpond.net.au',
  'ada@optusnet.com.au',
  'ada@tpg.com.au',
  'ada@iinet.net.au',
  'ada@proton.me',
])('%s is of a large public provider, whose mailboxes are of different people', (address) => {
  expect(mailDomainOf(address)).toBeNull();
});
