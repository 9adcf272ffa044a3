import { beforeAll, expect, test } from 'vitest';
import { readContentCatalogue } from '#tests/support/content-catalogue.ts';
import type { Catalogue } from './catalogue.ts';
import { listCourses } from './listing.ts';
import { noFilters } from './schema.ts';
import { createSuggester, type Suggester } from './suggestions.server.ts';

let catalogue: Catalogue;
let suggester: Suggester;
beforeAll(async () => {
  catalogue = await readContentCatalogue();
  suggester = createSuggester(catalogue);
});

const listed = (search: string) => listCourses(catalogue, { ...noFilters, search }, suggester.nearest);
const suggested = (search: string) => suggester.suggest(search, 8).map(({ label }) => label);

const pcep = 'Programming Foundations with Python (PCEP)';
const pmp = 'Project Management Professional (PMP)';
const powerBi = 'Microsoft Power BI Data Analyst (PL-300)';
const az104 = 'Microsoft Azure Administrator (AZ-104)';
const az500 = 'Microsoft Azure Security Technologies (AZ-500)';
const cissp = 'Certified Information Systems Security Professional (CISSP)';
const securityPlus = 'CompTIA Security+ (SY0-701)';
const aPlus = 'CompTIA A+ (220-1201 and 220-1202)';
const networkPlus = 'CompTIA Network+ (N10-009)';
const architect = 'AWS Certified Solutions Architect - Associate (SAA-C03)';
const learning = 'Machine Learning in Practice with scikit-learn and PyTorch';
const typescript = 'Full-Stack Web Development with TypeScript';
const auditor = 'ISO/IEC 27001 Lead Auditor';
const webTesting = 'Web Application Penetration Testing';
const hunting = 'Threat Hunting in Enterprise Networks';
const copilot = 'Working with Microsoft 365 Copilot';
const hacker = 'Certified Ethical Hacker (CEH v13)';
const cka = 'Certified Kubernetes Administrator (CKA)';

// Written by hand: what somebody who types this must see first.
test.each([
  ['cissp', cissp],
  ['CISSP training in Sydney', cissp],
  ['information systems security', cissp],
  ['security+', securityPlus],
  ['sec plus', securityPlus],
  ['security plus exam', securityPlus],
  ['comptia sec+', securityPlus],
  ['a+', aPlus],
  ['comptia a+', aPlus],
  ['net plus', networkPlus],
  ['networking course', networkPlus],
  ['aws solutions architect', architect],
  ['architect aws', architect],
  ['aws certification', architect],
  ['project management course brisbane', pmp],
  ['project manager', pmp],
  ['scrum', pmp],
  ['python for beginners', pcep],
  ['data analysis python', 'Data Analysis with Python and pandas'],
  ['powerbi', powerBi],
  ['sql', 'SQL for Analysts and Auditors'],
  ['excel', copilot],
  ['chatgpt', 'Generative AI for Business Leaders'],
  ['az104', az104],
  ['azure administrator', az104],
  ['az 500', az500],
  ['iso27001', auditor],
  ['iso 27001 lead auditer', auditor],
  ['auditor iso 42001', 'ISO/IEC 42001 AI Management Systems Lead Auditor'],
  ['ethical hacking for beginners in melbourne', 'Ethical Hacking Foundations'],
  ['certified ethical hacker course', hacker],
  ['penetration tester', 'Penetration Tester Job Guarantee Programme'],
  ['pen testing course', webTesting],
  ['web penetration test', webTesting],
  ['threat hunter', hunting],
  ['red hat linux', 'Red Hat Certified System Administrator (EX200)'],
  ['javascript', typescript],
  ['k8s security', 'Certified Kubernetes Security Specialist (CKS)'],
  ['it support', 'IT Support and Network Technician Job Guarantee Programme'],
  ['risk', 'Governance, Risk and Compliance in Practice'],
  // What people say who do not know the names of courses.
  ['become a pen tester', 'Ethical Hacking Foundations'],
  ['pentester', 'Ethical Hacking Foundations'],
  ['hacker', hacker],
  ['AI for managers', 'Generative AI for Business Leaders'],
  ['artificial intelligence', 'AI Security Foundations'],
  ['prompt engineering', 'Generative AI for Business Leaders'],
  ['i want to get into cyber', 'Starting a Career in Cybersecurity'],
  ['no experience', 'Starting a Career in Cybersecurity'],
  ['cheap cyber course melbourne', 'Starting a Career in Cybersecurity'],
  ['blue team', 'SOC Analyst Hands-On'],
  ['phishing', 'Security Awareness and Behaviour Programmes'],
  ['sysadmin', az104],
  ['help desk', aPlus],
  ['fraud', 'Financial Crime and AML/CTF Analytics'],
  ['bug bounty', webTesting],
  ['ot security', 'Securing Industrial and Connected Devices'],
  ['project managers', pmp],
])('%s finds first %s', (search, first) => {
  expect(listed(search).near).toBe(false);
  expect(listed(search).cards[0]?.title).toBe(first);
  expect(suggested(search)).toContain(first);
});

test.each([
  ['project managment', pmp],
  ['machine lerning', learning],
  ['pyhton', pcep],
  ['ypthon', pcep],
  ['data analist', powerBi],
  ['javascript for beginers', typescript],
  ['javscript', typescript],
  ['az900', az500],
  ['AZ-900 course', az500],
  ['excell', copilot],
  ['cisp', cissp],
  ['comptai a+', aPlus],
  ['sy0-601', securityPlus],
  ['n10008', networkPlus],
  ['220-1101', aPlus],
  ['iso27003', auditor],
  ['iso 27001 leed auditor', auditor],
  ['ethical haking', 'Ethical Hacking Foundations'],
  ['penatration testing', webTesting],
  ['cloud sercurity', 'Certified Cloud Security Professional (CCSP)'],
  ['kubernetis', cka],
  ['cyber securty', 'Starting a Career in Cybersecurity'],
  ['malware analisys', 'Malware Analysis and Reverse Engineering'],
  ['thret hunter', hunting],
  ['web develpment', typescript],
  ['scrum master', pmp],
])('%s comes nearest to %s', (search, first) => {
  expect(listed(search).near).toBe(true);
  expect(listed(search).cards[0]?.title).toBe(first);
  expect(suggested(search)).toContain(first);
});

test('an exam code that no course has is near the codes of its series', () => {
  const found = listed('az900').cards.map(({ title }) => title);
  expect(found.slice(0, 2)).toEqual([az500, az104]);
});

test.each(['courses', 'online course', 'courses in Sydney', 'cheap certifications'])(
  '%s says nothing of which course, and finds them all',
  (search) => {
    expect(listed(search)).toMatchObject({ near: false, matching: catalogue.courses.length });
  },
);

test('two names to compare are both near', () => {
  expect(listed('cissp vs cism').cards.map(({ title }) => title)).toEqual([
    cissp,
    'Certified Information Security Manager (CISM)',
  ]);
});

test.each([
  'c#',
  'c++',
  'cooking',
  'yoga',
  'xyzzy',
  'accounting',
  'prince2',
  'salesforce',
  'underwater basket weaving',
])('nothing is near to %s, and nothing is shown', (search) => {
  expect(listed(search)).toMatchObject({ near: false, matching: 0 });
  expect(suggested(search)).toEqual([]);
});

test('suggestions find something whenever the list does, and the other way round', () => {
  for (const typed of catalogue.synonyms.keys()) {
    expect([typed, suggested(typed).length > 0]).toEqual([typed, listed(typed).matching > 0]);
  }
});
