import { Link } from 'react-router';
import { select } from '#app/ui/field.ts';
import type { FormState } from '#app/ui/form-state.ts';
import { ActForm, ButtonText, OnlyWith, SendButton } from '#app/ui/staff/act-form.tsx';
import { Options } from '#app/ui/staff/choices.tsx';
import { DropMenu } from '#app/ui/staff/drop-menu.tsx';
import { snoozes } from './snooze.ts';

type Row = {
  kind: string;
  who: string;
  words: string;
  to: string;
  holder: string | null;
  holderId: number | null;
  /** Its subject, such as `enquiry:BB-7KQ2MX`. */
  item: string;
  /** By when it was promised, or when it was done. */
  due: string;
  late: boolean;
  done: { by: string | null } | null;
  /** Until when it is put off. */
  snoozed: string | null;
  form: FormState;
};

type Props = {
  row: Row;
  /** The address that its forms are sent to. */
  to: string;
  me: number;
  /** Colleagues who can be given it. */
  staff: readonly { id: number; name: string }[];
  tomorrow: string;
};

/** One row of the inbox: by when, what, who and what about, who has it in hand, and what can be done. */
export function InboxRow({ row, to, me, staff, tomorrow }: Props) {
  const { who, done, snoozed } = row;
  const carries = { item: row.item, was: row.holderId ?? '' };
  const sent = { form: row.form, needs: 'inbox:work', id: null, to } as const;
  return (
    <>
      <span className={`whitespace-nowrap ${row.late ? 'font-semibold text-fault' : ''}`}>
        {row.due}
        {row.late && ' late'}
      </span>
      <span className="truncate text-mute">{row.kind}</span>
      {/* What is cut off at its end leaves room for the ring of the focus. */}
      <p className="-m-2 min-w-0 truncate p-2" title={`${who} ${row.words}`}>
        <Link to={row.to} className="font-semibold underline-offset-3 hover:underline">
          {who}
        </Link>{' '}
        <span className="text-mute">{row.words}</span>
      </p>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 sm:col-span-3 lg:col-span-1 lg:justify-end">
        {snoozed && <span className="text-sm text-mute">back {snoozed}</span>}
        {done?.by && <span className="text-sm text-mute">by {done.by}</span>}
        {!done && row.holder && <span className="text-sm text-mute">{row.holderId === me ? 'You' : row.holder}</span>}
        {!done && (
          <ActForm act={null} {...sent} carries={carries} className="flex gap-2">
            {row.holderId === me ? (
              <SendButton name="act" value="put-back">
                <ButtonText about={who}>Put back</ButtonText>
              </SendButton>
            ) : (
              <SendButton name="act" value="take">
                <ButtonText about={who}>Take</ButtonText>
              </SendButton>
            )}
            {snoozed && (
              <SendButton name="act" value="wake">
                <ButtonText about={who}>Bring back</ButtonText>
              </SendButton>
            )}
            <SendButton name="act" value="done">
              <ButtonText about={who}>Done</ButtonText>
            </SendButton>
          </ActForm>
        )}
        {!done && (
          <OnlyWith permission="inbox:work">
            <DropMenu
              button="More"
              label={`More for ${who}`}
              className="button cursor-pointer border border-edge bg-card px-3 text-ink hover:border-ink"
              float="right-0 mt-1 grid w-72 gap-4 p-4 max-lg:left-0 max-lg:right-auto"
            >
              {staff.length > 0 && (
                <ActForm act="give" {...sent} carries={carries} submit={<ButtonText about={who}>Give</ButtonText>}>
                  <label className="grid gap-1">
                    <span>Give to</span>
                    <select name="to" className={select}>
                      <Options of={staff.map(({ id, name }) => [id, name])} />
                    </select>
                  </label>
                </ActForm>
              )}
              {!snoozed && (
                <ActForm
                  act="snooze"
                  {...sent}
                  carries={{ item: row.item }}
                  submit={<ButtonText about={who}>Put off</ButtonText>}
                >
                  <label className="grid gap-1">
                    <span>Put off</span>
                    <select name="until" className={select}>
                      <Options of={Object.entries(snoozes)} />
                    </select>
                  </label>
                  <label className="grid gap-1">
                    <span>The day, where you chose one</span>
                    <input type="date" name="day" defaultValue={tomorrow} min={tomorrow} className="field" />
                  </label>
                </ActForm>
              )}
            </DropMenu>
          </OnlyWith>
        )}
      </div>
    </>
  );
}
