import { afterAll, beforeAll, expect, test } from 'vitest';
import { actButton } from '#app/ui/staff/button.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { everyForm } from '#tests/support/every-form.ts';
import { formsOf } from '#tests/support/forms-of.ts';
import { type SignedIn, signInStaff } from '#tests/support/staff.ts';

let academy: AcademyApp;
let owner: SignedIn;
let reader: SignedIn;
/** Every page for staff that has a form, with something to act on. */
let pages: string[];
beforeAll(async () => {
  academy = await openAcademyApp();
  owner = await signInStaff(academy, 'ada@example.com', 'Ada Byron');
  reader = await signInStaff(academy, 'grace@example.com', 'Grace Hopper', { role: 'reader' });
  const forms = await everyForm(academy, owner, () => '192.0.2.7');
  pages = [...forms].flatMap(([file, found]) => (file.endsWith('.tsx') ? found.map(({ address }) => address) : []));
  pages = [...pages.filter((address) => /^\/staff\/(?!sign-)/.test(address)), '/staff/mail', '/staff/faults'];
});
afterAll(() => academy.close());

/** Where the forms of a page are sent, but for the one that signs out; null when the page is refused. */
async function formsFor(person: SignedIn, address: string): Promise<string[] | null> {
  const answer = await person.get(address);
  if (answer.status === 403) return null;
  const sent = formsOf(await answer.text(), address).map(({ to }) => to);
  return sent.filter((to) => to !== '/staff/sign-out');
}

async function saysWhoMay(person: SignedIn, address: string): Promise<boolean> {
  const html = await (await person.get(address)).text();
  return /Owners (?:and (?:admissions|editors) )?can /.test(html.replaceAll('<!-- -->', ''));
}

test('P68: staff who may only read see no form, and read who may change the page', async () => {
  let changeable = 0;
  for (const address of pages) {
    const shown = await formsFor(reader, address);
    if (shown === null) continue;
    expect([address, shown]).toEqual([address, []]);
    if ((await formsFor(owner, address))?.length === 0) continue;
    changeable++;
    expect([address, await saysWhoMay(reader, address), await saysWhoMay(owner, address)]).toEqual([
      address,
      true,
      false,
    ]);
  }
  expect(changeable).toBeGreaterThan(6);
});

/** How buttons begin that end, cancel or take away something. Some lead to a page that asks first; those are not sent. */
const ends =
  /^(Cancel (it|the course|the place|this week)|Revoke|Retire|Close|Decline it|Delete|End |Withdraw|Take away|Take off|Release|Record the refund)/;

test('an act that ends, cancels or takes away something looks like one, and no other act does', async () => {
  const met = new Set<string>();
  for (const address of pages) {
    const html = (await (await owner.get(address)).text()).replaceAll('<!-- -->', '');
    for (const [form] of html.matchAll(/<form\b[^>]*method="post"[^>]*>.*?<\/form>/gs)) {
      for (const [, look, inside = ''] of form.matchAll(/<button\b[^>]*class="([^"]*)"[^>]*>(.*?)<\/button>/gs)) {
        const text = inside.replace(/<[^>]*>/g, '').trim();
        expect([address, text, look === actButton.danger]).toEqual([address, text, ends.test(text)]);
        if (ends.test(text)) met.add(ends.exec(text)?.[1] ?? '');
      }
    }
  }
  expect([...met].sort()).toEqual([
    ...[
      'Cancel it',
      'Cancel the course',
      'Cancel this week',
      'Close',
      'Decline it',
      'Delete',
      'End ',
      'Retire',
      'Revoke',
    ],
    ...['Take away', 'Take off'],
  ]);
});
