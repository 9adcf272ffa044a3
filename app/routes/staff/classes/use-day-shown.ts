import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import type { ClassDay } from '#app/features/study/classes.server.ts';
import type { Day } from '#app/lib/dates.ts';

type Shown = Pick<ClassDay, 'day' | 'people'> & {
  /** Today by the phone's clock, when the page is of an earlier day and shows it; otherwise null. */
  later: Day | null;
  /** Shows `later`, on which nobody is marked as far as this page knows. */
  takeLater: () => void;
};

/**
 * The day of a class that its page shows. A page that was left open overnight without a network still has the day
 * before, so the phone's clock decides whether that is today (P59). Once the network is back, the page of the day that
 * was chosen is read.
 */
export function useDayShown({ courseDate, today, day, people }: ClassDay): Shown {
  const [phoneDay, setPhoneDay] = useState(today);
  const [chosen, setChosen] = useState<Day | null>(null);
  const navigate = useNavigate();
  const { zone } = courseDate;
  useEffect(() => {
    // Not `dayIn`, which every page would load with the names of months.
    const format = new Intl.DateTimeFormat('en-CA', { timeZone: zone });
    const look = () => setPhoneDay(format.format());
    look();
    const timer = setInterval(look, 60_000);
    document.addEventListener('visibilitychange', look);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, [zone]);
  useEffect(() => {
    if (chosen === null || chosen > today) return;
    setChosen(null);
    void navigate(`?day=${chosen}`, { replace: true, preventScrollReset: true });
  }, [chosen, today, navigate]);

  const shown = chosen ?? day;
  return {
    day: shown,
    people: shown === day ? people : people.map((person) => ({ ...person, ...unmarked })),
    later: phoneDay > today && shown === today ? phoneDay : null,
    takeLater: () => setChosen(phoneDay),
  };
}

const unmarked = { mark: null, minutesLate: 0, minutesLeftEarly: 0, cannotCome: null };
