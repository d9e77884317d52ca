//! Names of people by the culture of their site, each with its spelling in e-mail addresses.

/// A name, and its spelling with the letters a to z.
pub(crate) type Name = (&'static str, &'static str);

/// Given names and family names of one culture.
pub(crate) struct Culture {
    pub(crate) given: &'static [Name],
    pub(crate) family: &'static [Name],
}

/// A culture for each site, in the order of the sites.
#[rustfmt::skip] // Four names a line are easier to look over than one.
pub(crate) const CULTURES: [Culture; 6] = [
    Culture {
        given: &[
            ("Jörg", "joerg"), ("Käthe", "kaethe"), ("Anneliese", "anneliese"), ("Björn", "bjoern"),
            ("Sabine", "sabine"), ("Günther", "guenther"), ("Heike", "heike"), ("Lukas", "lukas"),
            ("Ayşe", "ayse"), ("Mehmet", "mehmet"), ("Friederike", "friederike"), ("Sören", "soeren"),
        ],
        family: &[
            ("Müller", "mueller"), ("Groß", "gross"), ("Jäger", "jaeger"), ("Schröder", "schroeder"),
            ("Petersen", "petersen"), ("Weiß", "weiss"), ("Yılmaz", "yilmaz"), ("Hansen", "hansen"),
            ("Köhler", "koehler"), ("Brandt", "brandt"), ("Öztürk", "oeztuerk"), ("Vogel", "vogel"),
        ],
    },
    Culture {
        given: &[
            ("Urs", "urs"), ("Regula", "regula"), ("Beat", "beat"), ("Céline", "celine"),
            ("François", "francois"), ("Noëlle", "noelle"), ("Reto", "reto"), ("Ladina", "ladina"),
            ("Gion", "gion"), ("Aurélie", "aurelie"), ("Matteo", "matteo"), ("Chiara", "chiara"),
        ],
        family: &[
            ("Zürcher", "zuercher"), ("Bühler", "buehler"), ("Rochat", "rochat"), ("Favre", "favre"),
            ("Caduff", "caduff"), ("Bernasconi", "bernasconi"), ("Hürlimann", "huerlimann"), ("Aebischer", "aebischer"),
            ("Dubois", "dubois"), ("Lüthi", "luethi"), ("Pittet", "pittet"), ("Schnyder", "schnyder"),
        ],
    },
    Culture {
        given: &[
            ("Łukasz", "lukasz"), ("Agnieszka", "agnieszka"), ("Paweł", "pawel"), ("Małgorzata", "malgorzata"),
            ("Grzegorz", "grzegorz"), ("Żaneta", "zaneta"), ("Stanisław", "stanislaw"), ("Zofia", "zofia"),
            ("Michał", "michal"), ("Bożena", "bozena"), ("Wojciech", "wojciech"), ("Joanna", "joanna"),
        ],
        family: &[
            ("Wójcik", "wojcik"), ("Nowak", "nowak"), ("Kowalczyk", "kowalczyk"), ("Zając", "zajac"),
            ("Wróbel", "wrobel"), ("Stępień", "stepien"), ("Pawlak", "pawlak"), ("Król", "krol"),
            ("Bąk", "bak"), ("Mazur", "mazur"), ("Dudek", "dudek"), ("Łęcki-Sikora", "lecki-sikora"),
        ],
    },
    Culture {
        given: &[
            ("Олена", "olena"), ("Тарас", "taras"), ("Оксана", "oksana"), ("Андрій", "andrii"),
            ("Юлія", "yuliia"), ("Богдан", "bohdan"), ("Соломія", "solomiia"), ("Ігор", "ihor"),
            ("Наталія", "nataliia"), ("Остап", "ostap"), ("Леся", "lesia"), ("Дмитро", "dmytro"),
        ],
        family: &[
            ("Шевченко", "shevchenko"), ("Коваленко", "kovalenko"), ("Бондаренко", "bondarenko"), ("Ткаченко", "tkachenko"),
            ("Кравченко", "kravchenko"), ("Олійник", "oliinyk"), ("Лисенко", "lysenko"), ("Мельник", "melnyk"),
            ("Руденко", "rudenko"), ("Марченко", "marchenko"), ("Гончар", "honchar"), ("Савченко", "savchenko"),
        ],
    },
    Culture {
        given: &[
            ("João", "joao"), ("Conceição", "conceicao"), ("José", "jose"), ("Antônia", "antonia"),
            ("Luís", "luis"), ("Débora", "debora"), ("Thiago", "thiago"), ("Fernanda", "fernanda"),
            ("Vinícius", "vinicius"), ("Letícia", "leticia"), ("Caio", "caio"), ("Renata", "renata"),
        ],
        family: &[
            ("Gonçalves", "goncalves"), ("Araújo", "araujo"), ("da Silva", "dasilva"), ("Magalhães", "magalhaes"),
            ("Assunção", "assuncao"), ("Nogueira", "nogueira"), ("Simões", "simoes"), ("Pacheco", "pacheco"),
            ("Falcão", "falcao"), ("de Oliveira", "deoliveira"), ("Tavares", "tavares"), ("Brandão", "brandao"),
        ],
    },
    Culture {
        given: &[
            ("陽子", "yoko"), ("健太", "kenta"), ("美咲", "misaki"), ("大輔", "daisuke"),
            ("さくら", "sakura"), ("翔", "sho"), ("由美", "yumi"), ("直樹", "naoki"),
            ("恵", "megumi"), ("拓也", "takuya"), ("千尋", "chihiro"), ("誠", "makoto"),
        ],
        family: &[
            ("田中", "tanaka"), ("佐藤", "sato"), ("鈴木", "suzuki"), ("高橋", "takahashi"),
            ("渡辺", "watanabe"), ("伊藤", "ito"), ("山本", "yamamoto"), ("中村", "nakamura"),
            ("小林", "kobayashi"), ("加藤", "kato"), ("吉田", "yoshida"), ("山口", "yamaguchi"),
        ],
    },
];
