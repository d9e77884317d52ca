import { useLocale } from "~/i18n";
import logo from "~/styles/icon.svg?no-inline";
import { LoginForm } from "./LoginForm";
import styles from "./LoginPage.module.css";

export function LoginPage({ onLogIn }: { onLogIn: () => void }) {
  const { texts } = useLocale();
  return (
    <main className={styles.page}>
      <div className={styles.card}>
        <h1 className={styles.title}>
          <img src={logo} alt="" width={28} height={28} />
          {texts.appName}
        </h1>
        <LoginForm onLogIn={onLogIn} />
      </div>
    </main>
  );
}
