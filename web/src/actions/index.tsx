/** What can be done on the screen: palette, keys and help read one list. */
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { areSingleKeysOn, hasOwnUndo, isTyping, matchOf, strokeOf } from "./keys";
import { useLatest } from "./useLatest";

export interface Action {
  id: string;
  label: string;
  /** Such as "e", "g o" or "mod+s". Keys without `mod` do nothing while somebody types. */
  keys?: string;
  /** In texts and dialogs, the keys mean something else. */
  leavesTexts?: boolean;
  run: () => void;
}

type Register = (owner: symbol, actions: readonly Action[]) => () => void;

// Two contexts: who offers actions need not be drawn again when others do.
const RegisterContext = createContext<Register | null>(null);
const ActionsContext = createContext<readonly Action[]>([]);

export function ActionsProvider({ children }: { children: ReactNode }) {
  const [owners, setOwners] = useState<ReadonlyMap<symbol, readonly Action[]>>(new Map());
  const register = useCallback<Register>((owner, actions) => {
    setOwners((before) => new Map(before).set(owner, actions));
    return () =>
      setOwners((before) => {
        const after = new Map(before);
        after.delete(owner);
        return after;
      });
  }, []);
  // The innermost screen registered last; its keys win.
  const actions = useMemo(() => [...owners.values()].reverse().flat(), [owners]);
  useKeys(actions);
  return (
    <RegisterContext value={register}>
      <ActionsContext value={actions}>{children}</ActionsContext>
    </RegisterContext>
  );
}

/** Offers actions as long as the calling component is there. */
export function useActions(actions: readonly Action[]) {
  const register = useContext(RegisterContext);
  if (!register) throw new Error("there is no ActionsProvider");
  const latest = useLatest(actions);
  const owner = useRef(Symbol("screen"));
  // Only what people see decides whether to register again; `run` is read when it is needed.
  const shown = JSON.stringify(actions.map(({ id, label, keys }) => [id, label, keys]));
  // biome-ignore lint/correctness/useExhaustiveDependencies: `shown` stands for the actions
  useEffect(() => {
    const stable = latest.current.map((action) => ({
      ...action,
      run: () => latest.current.find(({ id }) => id === action.id)?.run(),
    }));
    return register(owner.current, stable);
  }, [register, shown, latest]);
}

/** All that can be done here, for the palette and the list of keys. */
export function useAllActions(): readonly Action[] {
  return useContext(ActionsContext);
}

/** Whether a single key is a text, a key of a dialog, or switched off. */
function isMeantForPage(target: EventTarget | null): boolean {
  return isTyping(target) || isInDialog(target) || !areSingleKeysOn();
}

function isInDialog(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("[role=dialog]") !== null;
}

const SEQUENCE_MS = 1_000;

function useKeys(actions: readonly Action[]) {
  const strokes = useRef<{ keys: string[]; at: number }>({ keys: [], at: 0 });
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const stroke = strokeOf(event);
      if (stroke === undefined || event.defaultPrevented) return;
      if (!stroke.startsWith("mod+") && isMeantForPage(event.target)) return;
      const isElsewhere = hasOwnUndo(event.target) || isInDialog(event.target);
      const meant = actions.filter(({ leavesTexts }) => !leavesTexts || !isElsewhere);
      const isLate = event.timeStamp - strokes.current.at > SEQUENCE_MS;
      const keys = [...(isLate ? [] : strokes.current.keys), stroke];
      const match = (typed: string[], wanted: "whole" | "part") =>
        meant.find((action) => action.keys && matchOf(action.keys, typed) === wanted);
      const action = match(keys, "whole") ?? match([stroke], "whole");
      if (action) {
        event.preventDefault();
        action.run();
      }
      const isBegun = !action && match(keys, "part");
      strokes.current = { keys: isBegun ? keys : [], at: event.timeStamp };
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, [actions]);
}
