-- What the maker of an API token held when it was made, as JSON: the token never holds more. The program writes it for tokens of older
-- releases right after this script. Without one, a token has no rights.
ALTER TABLE api_token ADD COLUMN ceiling TEXT NOT NULL DEFAULT '';
