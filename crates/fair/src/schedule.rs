//! Who comes next: the rule of both kinds of queues, without threads and clocks.

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use crate::{Full, Requester, check_share};

/// Work that waits and work that runs.
pub(crate) struct Schedule<J> {
    max_waiting: usize,
    max_running: usize,
    waiting: usize,
    running: usize,
    requesters: HashMap<Requester, Work<J>>,
    /// The requesters with waiting work; the first one is served next.
    turns: VecDeque<Requester>,
}

/// The work of a requester.
struct Work<J> {
    waiting: VecDeque<J>,
    running: usize,
    /// The time that its work was charged, since it last had none; not less than that of those who
    /// were there before.
    used: Duration,
    /// The time of its last work.
    last: Duration,
}

impl<J> Work<J> {
    const fn new(used: Duration) -> Self {
        Self {
            waiting: VecDeque::new(),
            running: 0,
            used,
            last: Duration::ZERO,
        }
    }
}

impl<J> Schedule<J> {
    pub(crate) fn new(max_waiting: usize, max_running: usize) -> Self {
        Self {
            max_waiting,
            max_running,
            waiting: 0,
            running: 0,
            requesters: HashMap::new(),
            turns: VecDeque::new(),
        }
    }

    /// Adds work.
    pub(crate) fn push(&mut self, requester: Requester, job: J) -> Result<(), Full> {
        let least = self.least_used();
        let work = self.requesters.entry(requester);
        let work = work.or_insert_with(|| Work::new(least));
        let share = check_share(work.waiting.len(), self.waiting, self.max_waiting);
        if let Err(full) = share {
            self.forget_idle(requester);
            return Err(full);
        }
        if work.waiting.is_empty() {
            self.turns.push_back(requester);
        }
        work.waiting.push_back(job);
        self.waiting += 1;
        Ok(())
    }

    /// The next work, which runs until [`Schedule::finish`]: of who has used the least time, and of
    /// several the one who waits longest.
    pub(crate) fn next(&mut self) -> Option<(Requester, J)> {
        self.next_shorter_than(Duration::MAX)
    }

    /// The next work of those whose last work took less than `time`.
    pub(crate) fn next_shorter_than(&mut self, time: Duration) -> Option<(Requester, J)> {
        let is_short = |requester| {
            self.requesters
                .get(requester)
                .is_none_or(|work| work.last < time)
        };
        let turns = self.turns.iter().enumerate();
        let turns =
            turns.filter(|(_, requester)| is_short(*requester) && self.may_run(**requester));
        let (turn, _) = turns.min_by_key(|(_, requester)| self.used(**requester))?;
        let requester = self.turns.remove(turn)?;
        let work = self.requesters.get_mut(&requester)?;
        let job = work.waiting.pop_front()?;
        work.running += 1;
        if !work.waiting.is_empty() {
            self.turns.push_back(requester);
        }
        self.waiting -= 1;
        self.running += 1;
        Some((requester, job))
    }

    /// Whether work waits that may run.
    pub(crate) fn has_next(&self) -> bool {
        (self.turns.iter()).any(|requester| self.may_run(*requester))
    }

    /// Starts work without waiting, if the requester may.
    pub(crate) fn start(&mut self, requester: Requester) -> Result<(), Full> {
        self.check_run(requester)?;
        let least = self.least_used();
        let work = self.requesters.entry(requester);
        let work = work.or_insert_with(|| Work::new(least));
        work.running += 1;
        self.running += 1;
        Ok(())
    }

    /// Charges the time of work that runs. Who takes long then waits until others have had as much.
    pub(crate) fn charge(&mut self, requester: Requester, time: Duration) {
        if let Some(work) = self.requesters.get_mut(&requester) {
            work.used += time;
            work.last = time;
        }
    }

    /// Ends work that ran. Who came meanwhile is before the requester now: it waits for one piece
    /// of work, and not for two.
    pub(crate) fn finish(&mut self, requester: Requester) {
        if let Some(work) = self.requesters.get_mut(&requester) {
            work.running -= 1;
            self.running -= 1;
            if !work.waiting.is_empty() {
                self.turns.retain(|turn| *turn != requester);
                self.turns.push_back(requester);
            }
        }
        self.forget_idle(requester);
    }

    /// How much work waits.
    pub(crate) const fn waiting(&self) -> usize {
        self.waiting
    }

    /// How much work runs.
    pub(crate) const fn running(&self) -> usize {
        self.running
    }

    fn used(&self, requester: Requester) -> Duration {
        let work = self.requesters.get(&requester);
        work.map_or(Duration::ZERO, |work| work.used)
    }

    fn least_used(&self) -> Duration {
        let used = self.requesters.values().map(|work| work.used);
        used.min().unwrap_or_default()
    }

    fn may_run(&self, requester: Requester) -> bool {
        self.check_run(requester).is_ok()
    }

    fn check_run(&self, requester: Requester) -> Result<(), Full> {
        let own = self.requesters.get(&requester);
        let own = own.map_or(0, |work| work.running);
        check_share(own, self.running, self.max_running)
    }

    fn forget_idle(&mut self, requester: Requester) {
        let is_idle = |work: &Work<J>| work.running == 0 && work.waiting.is_empty();
        if self.requesters.get(&requester).is_some_and(is_idle) {
            self.requesters.remove(&requester);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const A: Requester = Requester::user(1);
    const B: Requester = Requester::user(2);
    const C: Requester = Requester::user(3);

    #[test]
    fn one_requester_gets_half_and_leaves_room_for_others() {
        let mut schedule = Schedule::new(1_000, 8);
        (0..40).for_each(|job| schedule.push(A, job).unwrap());
        let started = std::iter::from_fn(|| schedule.next()).count();
        assert_eq!(started, 4);
        schedule.push(B, 0).unwrap();
        assert_eq!(
            schedule.next(),
            Some((B, 0)),
            "it does not wait for the other"
        );
        schedule.push(C, 0).unwrap();
        assert_eq!(schedule.next(), Some((C, 0)));
    }

    #[test]
    fn requesters_are_served_in_turn() {
        let mut schedule = Schedule::new(1_000, usize::MAX);
        for job in 0..3 {
            schedule.push(A, job).unwrap();
        }
        schedule.push(B, 10).unwrap();
        schedule.push(B, 11).unwrap();
        let order: Vec<_> = std::iter::from_fn(|| schedule.next()).collect();
        assert_eq!(order, [(A, 0), (B, 10), (A, 1), (B, 11), (A, 2)]);
    }

    #[test]
    fn who_takes_long_waits_until_others_had_as_much_time() {
        let mut schedule = Schedule::new(1_000, usize::MAX);
        for job in 0..2 {
            schedule.push(A, job).unwrap();
            schedule.push(B, 10 + job).unwrap();
        }
        for (expected, millis) in [((A, 0), 50), ((B, 10), 1), ((B, 11), 1)] {
            assert_eq!(schedule.next(), Some(expected));
            schedule.charge(expected.0, Duration::from_millis(millis));
            schedule.finish(expected.0);
        }
        schedule.push(C, 20).unwrap();
        schedule.push(C, 21).unwrap();
        assert_eq!(schedule.next(), Some((A, 1)), "a newcomer has no credit");
        schedule.charge(A, Duration::from_millis(1));
        schedule.finish(A);
        assert_eq!(schedule.next(), Some((C, 20)));
    }

    #[test]
    fn who_took_long_can_be_passed_over() {
        let mut schedule = Schedule::new(1_000, usize::MAX);
        for (requester, job) in [(A, 0), (A, 1), (B, 10), (C, 20)] {
            schedule.push(requester, job).unwrap();
        }
        assert_eq!(schedule.next(), Some((A, 0)));
        schedule.charge(A, Duration::from_millis(10));
        schedule.finish(A);
        let short = Duration::from_millis(10);
        assert_eq!(schedule.next_shorter_than(short), Some((B, 10)));
        assert_eq!(schedule.next_shorter_than(short), Some((C, 20)));
        assert_eq!(schedule.next_shorter_than(short), None);
        assert_eq!(schedule.next(), Some((A, 1)), "it is not forgotten");
    }

    #[test]
    fn who_comes_while_work_runs_is_next() {
        let mut schedule = Schedule::new(1_000, usize::MAX);
        for job in 0..3 {
            schedule.push(A, job).unwrap();
        }
        assert_eq!(schedule.next(), Some((A, 0)));
        schedule.push(B, 10).unwrap();
        schedule.finish(A);
        assert_eq!(schedule.next(), Some((B, 10)));
        schedule.push(C, 20).unwrap();
        schedule.finish(B);
        assert_eq!(
            schedule.next(),
            Some((A, 1)),
            "it waits longer than the third one"
        );
        schedule.finish(A);
        assert_eq!(schedule.next(), Some((C, 20)));
    }

    #[test]
    fn one_requester_cannot_fill_the_queue() {
        let mut schedule = Schedule::new(8, 1);
        let accepted = (0..20).filter(|job| schedule.push(A, *job).is_ok());
        assert_eq!(accepted.count(), 4);
        schedule.push(B, 0).unwrap();
    }

    #[test]
    fn who_gets_no_place_learns_whose_work_holds_them() {
        let mut schedule = Schedule::<()>::new(0, 3);
        schedule.start(A).unwrap();
        schedule.start(B).unwrap();
        assert_eq!(schedule.start(A), Err(Full::Own(1)));
        schedule.start(C).unwrap();
        assert_eq!(schedule.start(Requester::user(4)), Err(Full::Others));
        schedule.finish(C);
        schedule.finish(B);
        schedule.start(A).unwrap();
    }

    #[derive(Debug, Clone)]
    enum Step {
        Push(i64),
        Start(i64),
        Next,
        Finish,
    }

    fn step() -> impl Strategy<Value = Step> {
        prop_oneof![
            (0..4_i64).prop_map(Step::Push),
            (0..4_i64).prop_map(Step::Start),
            Just(Step::Next),
            Just(Step::Finish),
        ]
    }

    proptest! {
        /// Bounds hold, work of a requester keeps its order, and nothing is lost or forgotten.
        #[test]
        fn a_schedule_loses_nothing(steps in proptest::collection::vec(step(), 0..200)) {
            let (max_waiting, max_running) = (6, 4);
            let mut schedule = Schedule::new(max_waiting, max_running);
            let mut waiting: Vec<(Requester, usize)> = Vec::new();
            let mut running: Vec<Requester> = Vec::new();
            for (number, step) in steps.into_iter().enumerate() {
                match step {
                    Step::Push(id) => {
                        let requester = Requester::user(id);
                        if schedule.push(requester, number).is_ok() {
                            waiting.push((requester, number));
                        }
                    }
                    Step::Start(id) => {
                        let requester = Requester::user(id);
                        if schedule.start(requester).is_ok() {
                            running.push(requester);
                        }
                    }
                    Step::Next => match schedule.next() {
                        Some((requester, job)) => {
                            let first = waiting.iter().position(|(of, _)| *of == requester);
                            prop_assert_eq!(waiting.remove(first.unwrap()), (requester, job));
                            running.push(requester);
                        }
                        None => prop_assert!(waiting.is_empty() || !running.is_empty()),
                    },
                    Step::Finish => if let Some(requester) = running.pop() {
                        schedule.finish(requester);
                    },
                }
                prop_assert_eq!(schedule.waiting(), waiting.len());
                prop_assert!(waiting.len() <= max_waiting && running.len() <= max_running);
            }
            for requester in running {
                schedule.finish(requester);
            }
            while let Some((requester, _)) = schedule.next() {
                schedule.finish(requester);
                waiting.pop();
            }
            prop_assert!(waiting.is_empty() && schedule.requesters.is_empty());
        }
    }
}
