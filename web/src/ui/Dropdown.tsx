import { X } from "lucide-react";
import type { ReactNode } from "react";
import {
  Dialog,
  DialogTrigger,
  Heading,
  Modal,
  ModalOverlay,
  Popover,
  type PopoverProps,
} from "react-aria-components";
import { useLocale } from "~/i18n";
import { Button } from "./Button";
import styles from "./Dropdown.module.css";
import { NARROW, useMedia } from "./useMedia";

interface Props {
  title: string;
  /** What the button shows. */
  label: ReactNode;
  placement?: NonNullable<PopoverProps["placement"]>;
  children: (close: () => void) => ReactNode;
}

/** What a button opens: beside it, or over the whole screen of a phone. */
export function Dropdown({ title, label, placement = "bottom end", children }: Props) {
  const isNarrow = useMedia(NARROW);
  return (
    <DialogTrigger>
      <Button>{label}</Button>
      {isNarrow ? (
        <ModalOverlay isDismissable className={styles.overlay ?? ""}>
          <Modal className={styles.sheet ?? ""}>
            <Content title={title} isSheet>
              {children}
            </Content>
          </Modal>
        </ModalOverlay>
      ) : (
        <Popover className={styles.popover ?? ""} placement={placement}>
          <Content title={title}>{children}</Content>
        </Popover>
      )}
    </DialogTrigger>
  );
}

interface ContentProps extends Pick<Props, "title" | "children"> {
  isSheet?: boolean;
}

function Content({ title, children, isSheet = false }: ContentProps) {
  const { texts } = useLocale();
  return (
    <Dialog className={styles.dialog ?? ""} {...(isSheet ? {} : { "aria-label": title })}>
      {({ close }) => (
        <>
          {isSheet && (
            <div className={styles.header}>
              <Heading slot="title" className={styles.title ?? ""}>
                {title}
              </Heading>
              <Button variant="quiet" aria-label={texts.close} onPress={close}>
                <X size={16} aria-hidden="true" />
              </Button>
            </div>
          )}
          <div className={styles.body}>{children(close)}</div>
        </>
      )}
    </Dialog>
  );
}
