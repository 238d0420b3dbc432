int aiplayer_1155999999(int game_board[4][4]);
