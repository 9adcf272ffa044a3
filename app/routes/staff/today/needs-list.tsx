import { Fragment } from 'react';
import { href, Link } from 'react-router';
import { type Whose, whoses } from '#app/features/inbox/inbox-address.ts';
import type { FormState } from '#app/ui/form-state.ts';
import { ActForm, ButtonText } from '#app/ui/staff/act-form.tsx';
import { NotAllShown } from '#app/ui/staff/not-all-shown.tsx';
import { Section } from '#app/ui/staff/page-head.tsx';
import { Words } from '#app/ui/staff/typography.tsx';

type Shown = {
  key: string;
  /** Its group on this page; an instructor has one. */
  group: string;
  due: string;
  late: boolean;
  kind: string;
  who: string;
  words: string;
  to: string;
  holder: string | null;
  /** The subject of what can be taken in hand. */
  take: string | null;
};

type Props = {
  needs: readonly Shown[];
  open: number;
  late: number;
  isLeast: boolean;
  lists: readonly { text: string; to: string }[];
  /** Of an instructor, for whom only exercises wait. */
  own: boolean;
  /** The people who have items in hand; null for a viewer without the inbox. */
  whose: Whose | null;
  form: FormState;
};

/** Everything that waits for a person, money and decisions first, each group by the instant it was promised for. */
export function NeedsList({ needs, open, late, isLeast, lists, own, whose, form }: Props) {
  const groups = [...new Set(needs.map(({ group }) => group))].map((group) => ({
    group,
    its: needs.filter((need) => need.group === group),
  }));
  const beside = needs.length > 0 && (
    <>
      {open}
      {isLeast ? ' or more' : ''} open.
      {late > 0 && <b className="font-semibold text-fault"> {late} late</b>}
    </>
  );
  return (
    <Section
      title={own ? 'To mark' : 'Needs a person'}
      beside={beside}
      end={whose && <WhoseLinks whose={whose} />}
      id="needs"
    >
      {needs.length === 0 && (
        <Words>
          {own
            ? 'No exercise waits to be marked.'
            : whose
              ? 'Nobody waits for an answer, and there is nothing to decide.'
              : 'No course date waits for a decision, a room or a link.'}
        </Words>
      )}
      {groups.map(({ group, its }) => (
        <Fragment key={group}>
          {!own && (
            <h3 className="border-b border-line pt-3 pb-1 text-sm font-semibold">
              {group} <span className="font-normal text-mute">{its.length}</span>
            </h3>
          )}
          <ul>
            {its.map((need) => (
              <NeedRow key={need.key} need={need} form={form} />
            ))}
          </ul>
        </Fragment>
      ))}
      <NotAllShown lists={lists} />
    </Section>
  );
}

function NeedRow({ need, form }: { need: Shown; form: FormState }) {
  return (
    <li className="relative grid grid-cols-[8.25rem_minmax(0,1fr)_auto] items-center gap-x-3 border-b border-line py-2 hover:bg-hover sm:min-h-9 sm:grid-cols-[8.25rem_6.25rem_minmax(0,1fr)_auto] sm:py-0">
      <span className={`whitespace-nowrap ${need.late ? 'font-semibold text-fault' : ''}`}>
        {need.due}
        {need.late && <span className="sr-only">, late</span>}
      </span>
      <span className="truncate text-mute">{need.kind}</span>
      <p className="min-w-0 truncate max-sm:order-last max-sm:col-span-3" title={`${need.who} ${need.words}`}>
        <Link to={need.to} className="font-semibold underline-offset-3 after:absolute after:inset-0 hover:underline">
          {need.who}
        </Link>{' '}
        <span className="text-mute">{need.words}</span>
      </p>
      {need.take ? (
        <ActForm
          act="take"
          form={form}
          needs="inbox:work"
          id={null}
          to={href('/staff/inbox')}
          carries={{ item: need.take, was: '', from: 'today' }}
          className="relative"
        >
          <button type="submit" className="font-semibold text-link underline-offset-3 hover:underline">
            <ButtonText about={need.who}>Take</ButtonText>
          </button>
        </ActForm>
      ) : (
        <span className="text-sm text-mute">{need.holder}</span>
      )}
    </li>
  );
}

function WhoseLinks({ whose }: { whose: Whose }) {
  return (
    <nav aria-label="In whose hand" className="flex gap-4">
      {Object.entries(whoses).map(([name, text]) => (
        <Link
          key={name}
          to={name === 'everyone' ? `${href('/staff')}#needs` : `${href('/staff')}?whose=${name}#needs`}
          aria-current={name === whose ? 'true' : undefined}
          className="border-b-2 border-transparent text-mute hover:text-ink aria-[current]:border-stalk aria-[current]:font-semibold aria-[current]:text-ink"
        >
          {text}
        </Link>
      ))}
    </nav>
  );
}
